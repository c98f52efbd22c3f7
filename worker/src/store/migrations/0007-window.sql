-- The window: of each source what is live, pending records and the newest settled ones. Beyond it is the history. Both are rows of
-- one table; being in the window is a mark.
ALTER TABLE questions ADD COLUMN in_window INTEGER NOT NULL DEFAULT 1;

-- How much of each source is in its window. Kept by the triggers below, so that no statement can forget it.
CREATE TABLE windows (
    agent   TEXT    PRIMARY KEY,
    live    INTEGER NOT NULL,
    settled INTEGER NOT NULL,
    bytes   INTEGER NOT NULL
) WITHOUT ROWID;

UPDATE questions SET in_window = 0 WHERE number IN (
    SELECT number FROM (
        SELECT number, incarnation, row_number() OVER (PARTITION BY agent ORDER BY ended_at DESC, number DESC) AS place
        FROM questions WHERE ended_at IS NOT NULL
    ) AS ended
    WHERE place > 32 AND NOT EXISTS (SELECT 1 FROM jobs WHERE jobs.incarnation = ended.incarnation AND jobs.state <> 'failed')
);
INSERT INTO windows (agent, live, settled, bytes)
SELECT agent, count(*), count(ended_at), sum(octet_length(record)) FROM questions WHERE in_window = 1 GROUP BY agent;

CREATE TRIGGER window_entered AFTER INSERT ON questions WHEN NEW.in_window = 1
BEGIN
    INSERT INTO windows (agent, live, settled, bytes)
    VALUES (NEW.agent, 1, NEW.ended_at IS NOT NULL, octet_length(NEW.record))
    ON CONFLICT (agent) DO UPDATE SET live = live + 1, settled = settled + excluded.settled, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER window_changed AFTER UPDATE OF ended_at, record, in_window ON questions WHEN OLD.in_window = 1 OR NEW.in_window = 1
BEGIN
    UPDATE windows SET
        live = live + NEW.in_window - OLD.in_window,
        settled = settled + NEW.in_window * (NEW.ended_at IS NOT NULL) - OLD.in_window * (OLD.ended_at IS NOT NULL),
        bytes = bytes + NEW.in_window * octet_length(NEW.record) - OLD.in_window * octet_length(OLD.record)
    WHERE agent = NEW.agent;
END;
CREATE TRIGGER window_left AFTER DELETE ON questions WHEN OLD.in_window = 1
BEGIN
    UPDATE windows SET live = live - 1, settled = settled - (OLD.ended_at IS NOT NULL), bytes = bytes - octet_length(OLD.record)
    WHERE agent = OLD.agent;
END;

CREATE INDEX questions_window ON questions (agent, ended_at, number) WHERE in_window = 1 AND ended_at IS NOT NULL;
CREATE INDEX dispatches_of_question ON dispatches (kind ->> '$.incarnation') WHERE state = 'waiting';

-- The mailbox: newest first, then by source, then the newest insertion first.
CREATE INDEX questions_mailbox ON questions (asked_at DESC, agent, number DESC);
CREATE INDEX questions_mailbox_pending ON questions (asked_at DESC, agent, number DESC) WHERE state IN ('open', 'answering');
CREATE INDEX questions_mailbox_ended ON questions (state, asked_at DESC, agent, number DESC) WHERE ended_at IS NOT NULL;

-- The words of ended records. A row's number is made of the time of the end and of the record's number, so that the newest end
-- comes first without sorting.
CREATE VIRTUAL TABLE history_words USING fts5 (
    words, content = '', contentless_delete = 1, tokenize = "unicode61 remove_diacritics 2"
);
CREATE VIEW ended_words (number, place, words) AS
SELECT
    number,
    (ended_at << 20) | (number & 1048575),
    concat_ws(char(10),
        id, agent, record ->> '$.question.text', record ->> '$.question.header', record ->> '$.question.source.task',
        record ->> '$.question.source.project', record ->> '$.question.source.run',
        (SELECT group_concat(value ->> '$.label', char(10)) FROM json_each(record, '$.question.options')),
        record ->> '$.state.ended.answer.answer', record ->> '$.state.ended.answer.note', record ->> '$.state.withdrawn.reason')
FROM questions WHERE ended_at IS NOT NULL;

INSERT INTO history_words (rowid, words) SELECT place, words FROM ended_words;

CREATE TRIGGER history_entered AFTER INSERT ON questions WHEN NEW.ended_at IS NOT NULL
BEGIN
    INSERT INTO history_words (rowid, words) SELECT place, words FROM ended_words WHERE number = NEW.number;
END;
CREATE TRIGGER history_ended AFTER UPDATE OF ended_at ON questions WHEN NEW.ended_at IS NOT NULL AND OLD.ended_at IS NULL
BEGIN
    INSERT INTO history_words (rowid, words) SELECT place, words FROM ended_words WHERE number = NEW.number;
END;
CREATE TRIGGER history_left AFTER DELETE ON questions WHEN OLD.ended_at IS NOT NULL
BEGIN
    DELETE FROM history_words WHERE rowid = (OLD.ended_at << 20) | (OLD.number & 1048575);
END;

-- Keys under which owners decided. `digest` names the question, the kind of call and its body.
CREATE TABLE used_keys (
    actor       TEXT    NOT NULL,
    key         TEXT    NOT NULL,
    incarnation TEXT    NOT NULL,
    kind        TEXT    NOT NULL,
    digest      TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    PRIMARY KEY (actor, key)
) WITHOUT ROWID;
CREATE INDEX used_keys_by_time ON used_keys (at);
CREATE INDEX used_keys_of_question ON used_keys (incarnation);

-- A claim that the answers repository refused decided nothing: its key is free.
CREATE TRIGGER claim_refused AFTER UPDATE OF state ON questions WHEN OLD.state = 'answering' AND NEW.state = 'open'
BEGIN
    DELETE FROM used_keys WHERE incarnation = NEW.incarnation;
END;
