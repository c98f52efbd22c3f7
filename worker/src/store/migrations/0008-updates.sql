-- What agents published for the owner. `content` holds the whole; the other columns are what is looked up, sorted and counted by.
CREATE TABLE published_updates (
    number       INTEGER PRIMARY KEY AUTOINCREMENT,
    id           TEXT    NOT NULL UNIQUE,
    agent        TEXT    NOT NULL,
    publication  TEXT,
    state        TEXT    NOT NULL,
    at           INTEGER NOT NULL,
    dismissed_at INTEGER,
    bytes        INTEGER NOT NULL,
    content      TEXT    NOT NULL
);
CREATE UNIQUE INDEX published_updates_by_publication ON published_updates (agent, publication) WHERE publication IS NOT NULL;
CREATE INDEX published_updates_by_time ON published_updates (at, number);
CREATE INDEX published_updates_by_agent ON published_updates (agent, at, number);
CREATE INDEX published_updates_unread ON published_updates (number) WHERE state = 'unread';
