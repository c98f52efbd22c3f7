-- Files of events that were dealt with and lie on the watched branch until they are taken away. `content` names the bytes.
CREATE TABLE event_files (
    name       TEXT    PRIMARY KEY,
    content    TEXT    NOT NULL,
    is_refused INTEGER NOT NULL
) WITHOUT ROWID;
