-- Threads: what is asked about a request or about another question, and what is replied to a request.
ALTER TABLE questions ADD COLUMN about TEXT GENERATED ALWAYS AS (json_extract(record, '$.question.about')) VIRTUAL;
-- The agent that a question is put to in place of the owner.
ALTER TABLE questions ADD COLUMN put_to TEXT GENERATED ALWAYS AS (json_extract(record, '$.question.put_to')) VIRTUAL;
CREATE INDEX questions_about ON questions (about, number) WHERE about IS NOT NULL;
CREATE INDEX questions_put_to ON questions (put_to, asked_at, number) WHERE state = 'open' AND put_to IS NOT NULL;
-- What is open and the owner's to settle; and what every agent has open.
DROP INDEX questions_open;
CREATE INDEX questions_open ON questions (hard DESC, asked_at, number) WHERE state = 'open' AND put_to IS NULL;
CREATE INDEX questions_open_of_agent ON questions (agent, asked_at) WHERE state = 'open';

-- `party` is `owner` or `agent:` and a name.
ALTER TABLE requests ADD COLUMN party TEXT NOT NULL DEFAULT 'owner';
ALTER TABLE requests ADD COLUMN answered_at INTEGER;
CREATE INDEX requests_of_party ON requests (party, at, number);
CREATE INDEX requests_unanswered ON requests (at, number) WHERE answered_at IS NULL;
INSERT INTO used_ids (id) SELECT id FROM requests WHERE true ON CONFLICT DO NOTHING;

-- Replies, in the order in which they came. `reply` holds the whole; `origin` makes each one once.
CREATE TABLE replies (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    id      TEXT    NOT NULL UNIQUE,
    origin  TEXT    NOT NULL UNIQUE,
    request TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    party   TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    reply   TEXT    NOT NULL
);
CREATE INDEX replies_of_request ON replies (request, number);
