-- Events for the control repository: an outbox of its own, so that neither it nor Telegram waits for the other.
-- `id` is what receivers tell a repetition by. Of one `line` the oldest that waits goes first.
CREATE TABLE dispatches (
    number   INTEGER PRIMARY KEY AUTOINCREMENT,
    id       TEXT    NOT NULL UNIQUE,
    line     TEXT    NOT NULL,
    kind     TEXT    NOT NULL,
    state    TEXT    NOT NULL,
    made_at  INTEGER NOT NULL,
    due_at   INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    reason   TEXT
);
CREATE INDEX dispatches_waiting ON dispatches (line, number) WHERE state = 'waiting';
