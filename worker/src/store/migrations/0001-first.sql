-- Records. `record` holds the whole; the other columns are what is looked up and sorted by.
CREATE TABLE questions (
    number      INTEGER PRIMARY KEY,
    id          TEXT    NOT NULL UNIQUE,
    incarnation TEXT    NOT NULL UNIQUE,
    agent       TEXT    NOT NULL,
    publication TEXT,
    fingerprint TEXT    NOT NULL,
    is_unnamed  INTEGER NOT NULL DEFAULT 0,
    state       TEXT    NOT NULL,
    hard        INTEGER NOT NULL,
    asked_at    INTEGER NOT NULL,
    ended_at    INTEGER,
    revision    INTEGER NOT NULL,
    record      TEXT    NOT NULL
);
CREATE UNIQUE INDEX questions_by_publication ON questions (agent, publication) WHERE publication IS NOT NULL;
CREATE INDEX questions_by_agent ON questions (agent, asked_at, number);
CREATE INDEX questions_pending ON questions (agent, fingerprint) WHERE state IN ('open', 'answering');
CREATE UNIQUE INDEX questions_unnamed ON questions (agent, fingerprint)
    WHERE is_unnamed = 1 AND state IN ('open', 'answering');
CREATE INDEX questions_open ON questions (hard DESC, asked_at, number) WHERE state = 'open';
CREATE INDEX questions_answering ON questions (number) WHERE state = 'answering';
CREATE INDEX questions_ended ON questions (ended_at) WHERE ended_at IS NOT NULL;

-- Ids that were ever used. A record may leave, its id stays used.
CREATE TABLE used_ids (id TEXT PRIMARY KEY) WITHOUT ROWID;

-- Telegram's updates, stored before they are acknowledged.
CREATE TABLE updates (
    number      INTEGER PRIMARY KEY,
    id          INTEGER NOT NULL UNIQUE,
    received_at INTEGER NOT NULL,
    body        TEXT    NOT NULL,
    state       TEXT    NOT NULL,
    tries       INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX updates_new ON updates (number) WHERE state = 'new';

-- The outbox.
CREATE TABLE jobs (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    id          TEXT    NOT NULL UNIQUE,
    incarnation TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    class       INTEGER NOT NULL,
    state       TEXT    NOT NULL,
    due_at      INTEGER NOT NULL,
    attempts    INTEGER NOT NULL DEFAULT 0,
    reason      TEXT
);
CREATE INDEX jobs_waiting ON jobs (class, number) WHERE state = 'waiting';
CREATE INDEX jobs_of_question ON jobs (incarnation);

-- Where questions are shown.
CREATE TABLE places (
    incarnation TEXT    NOT NULL,
    chat        INTEGER NOT NULL,
    thread      INTEGER NOT NULL,
    message     INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (incarnation, chat, thread, message)
) WITHOUT ROWID;
CREATE INDEX places_by_thread ON places (chat, thread);

CREATE TABLE tokens (
    id         TEXT    PRIMARY KEY,
    name       TEXT    NOT NULL,
    role       TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) WITHOUT ROWID;

CREATE TABLE sessions (
    hash       TEXT    PRIMARY KEY,
    token      TEXT    NOT NULL REFERENCES tokens (id),
    csrf       TEXT    NOT NULL,
    expires_at INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE login_links (
    hash       TEXT    PRIMARY KEY,
    token      TEXT    NOT NULL REFERENCES tokens (id),
    expires_at INTEGER NOT NULL,
    spent      INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;

CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
