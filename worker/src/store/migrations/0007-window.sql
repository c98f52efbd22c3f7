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
SELECT agent, count(*), count(ended_at), sum(length(CAST(record AS BLOB))) FROM questions WHERE in_window = 1 GROUP BY agent;

CREATE TRIGGER window_entered AFTER INSERT ON questions WHEN NEW.in_window = 1
BEGIN
    INSERT INTO windows (agent, live, settled, bytes)
    VALUES (NEW.agent, 1, NEW.ended_at IS NOT NULL, length(CAST(NEW.record AS BLOB)))
    ON CONFLICT (agent) DO UPDATE SET live = live + 1, settled = settled + excluded.settled, bytes = bytes + excluded.bytes;
END;
CREATE TRIGGER window_changed AFTER UPDATE OF ended_at, record, in_window ON questions WHEN OLD.in_window = 1 OR NEW.in_window = 1
BEGIN
    UPDATE windows SET
        live = live + NEW.in_window - OLD.in_window,
        settled = settled + NEW.in_window * (NEW.ended_at IS NOT NULL) - OLD.in_window * (OLD.ended_at IS NOT NULL),
        bytes = bytes + NEW.in_window * length(CAST(NEW.record AS BLOB)) - OLD.in_window * length(CAST(OLD.record AS BLOB))
    WHERE agent = NEW.agent;
END;
CREATE TRIGGER window_left AFTER DELETE ON questions WHEN OLD.in_window = 1
BEGIN
    UPDATE windows SET live = live - 1, settled = settled - (OLD.ended_at IS NOT NULL), bytes = bytes - length(CAST(OLD.record AS BLOB))
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
    words, content = '', tokenize = "unicode61 remove_diacritics 2"
);
-- Ended records with a character of a script that puts no space between words (U+0E00 to U+0EFF, U+1000 to U+109F, U+1780 to U+17FF,
-- U+2E80 to U+9FFF, U+A960 to U+A97F, U+AC00 to U+D7FF, U+F900 to U+FAFF, U+FF66 to U+FF9F, U+20000 to U+3FFFD): these are looked through.
CREATE INDEX questions_unspaced ON questions (ended_at)
    WHERE ended_at IS NOT NULL AND record GLOB '*[฀-໿က-႟ក-៿⺀-鿿ꥠ-꥿가-퟿豈-﫿ｦ-ﾟ𠀀-𿿽]*';

CREATE VIEW ended_words (number, place, words) AS
SELECT
    number,
    (ended_at << 20) | (number & 1048575),
    id || char(10) || agent || char(10) || (record ->> '$.question.text')
        || ifnull(char(10) || (record ->> '$.question.header'), '')
        || ifnull(char(10) || (record ->> '$.question.source.task'), '')
        || ifnull(char(10) || (record ->> '$.question.source.project'), '')
        || ifnull(char(10) || (record ->> '$.question.source.run'), '')
        || ifnull(char(10) || (SELECT group_concat(value ->> '$.label', char(10)) FROM json_each(record, '$.question.options')), '')
        || ifnull(char(10) || (record ->> '$.state.ended.answer.answer'), '')
        || ifnull(char(10) || (record ->> '$.state.withdrawn.reason'), '')
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
-- The index has no texts of its own: to take words out it has to be told them.
CREATE TRIGGER history_left BEFORE DELETE ON questions WHEN OLD.ended_at IS NOT NULL
BEGIN
    INSERT INTO history_words (history_words, rowid, words)
    SELECT 'delete', place, words FROM ended_words WHERE number = OLD.number;
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
