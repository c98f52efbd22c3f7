-- Events of the control repository that were handled, with what was replied: a repetition gets the same reply.
CREATE TABLE control_events (
    id     TEXT    PRIMARY KEY,
    digest TEXT    NOT NULL,
    status INTEGER NOT NULL,
    reply  TEXT    NOT NULL,
    at     INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX control_events_by_time ON control_events (at);

-- Proofs that count once, and the event that each of them was for.
CREATE TABLE control_proofs (
    proof TEXT    PRIMARY KEY,
    event TEXT    NOT NULL,
    at    INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX control_proofs_by_time ON control_proofs (at);

-- Withdrawals that came before their questions.
CREATE TABLE control_withdrawals (
    author   TEXT    NOT NULL,
    question TEXT    NOT NULL,
    sent_at  INTEGER NOT NULL,
    reason   TEXT,
    at       INTEGER NOT NULL,
    PRIMARY KEY (author, question)
) WITHOUT ROWID;
