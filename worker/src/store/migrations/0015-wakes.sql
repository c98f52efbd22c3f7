-- Wakes of agents that keep a runner. `since`: nothing from before is woken for.
CREATE TABLE runners (
    agent TEXT    PRIMARY KEY,
    since INTEGER NOT NULL
) WITHOUT ROWID;

-- What happened to such an agent and was not listed yet. `at` is when it was stored: an answer may wait long to be saved.
CREATE TABLE wake_causes (
    number  INTEGER PRIMARY KEY AUTOINCREMENT,
    agent   TEXT    NOT NULL,
    kind    TEXT    NOT NULL,
    subject TEXT    NOT NULL,
    at      INTEGER NOT NULL
);
CREATE INDEX wake_causes_of_agent ON wake_causes (agent, number);
CREATE INDEX wake_causes_of_subject ON wake_causes (subject);
CREATE INDEX wake_causes_at ON wake_causes (at);

-- What was listed, and what was acknowledged without: one of each agent, subject and reason.
CREATE TABLE wakes (
    number      INTEGER PRIMARY KEY AUTOINCREMENT,
    agent       TEXT    NOT NULL,
    id          TEXT    NOT NULL,
    author      TEXT,
    at          INTEGER NOT NULL,
    state       TEXT    NOT NULL,
    mark        TEXT,
    lease_until INTEGER,
    times       INTEGER NOT NULL DEFAULT 0,
    UNIQUE (agent, id)
);
CREATE INDEX wakes_waiting ON wakes (agent, at, number) WHERE state = 'waiting';
CREATE INDEX wakes_over ON wakes (at) WHERE state <> 'waiting';

-- Which requests somebody has written into, and what was picked too late.
CREATE INDEX replies_of_party ON replies (request, party);
CREATE INDEX replies_late ON replies (at) WHERE kind = 'late_pick';

-- A change of a question tells what happened right before it is stored, in the same transaction: that row has the time.
CREATE TRIGGER wake_causes_ended AFTER UPDATE OF state ON questions
    WHEN OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL AND EXISTS (SELECT 1 FROM runners WHERE agent = NEW.agent)
BEGIN
    INSERT INTO wake_causes (agent, kind, subject, at) VALUES (NEW.agent, 'ended', NEW.incarnation,
        max(NEW.ended_at, coalesce((SELECT at FROM happenings ORDER BY number DESC LIMIT 1), 0)));
END;
CREATE TRIGGER wake_causes_put AFTER INSERT ON questions
    WHEN json_extract(NEW.record, '$.question.put_to') IN (SELECT agent FROM runners)
BEGIN
    INSERT INTO wake_causes (agent, kind, subject, at)
    VALUES (json_extract(NEW.record, '$.question.put_to'), 'awaiting', NEW.incarnation, NEW.asked_at);
END;
CREATE TRIGGER wake_causes_replied AFTER INSERT ON replies BEGIN
    INSERT INTO wake_causes (agent, kind, subject, at)
        SELECT r.agent, 'reply', NEW.id, NEW.at FROM requests q JOIN runners r ON r.agent = substr(q.party, length('agent:') + 1)
        WHERE q.id = NEW.request AND q.party LIKE 'agent:%' AND q.party <> NEW.party AND NEW.kind <> 'late_pick';
    INSERT INTO wake_causes (agent, kind, subject, at)
        SELECT q.agent, 'late_pick', q.incarnation, NEW.at FROM questions q JOIN runners r ON r.agent = q.agent
        WHERE NEW.kind = 'late_pick' AND q.id = json_extract(NEW.reply, '$.offer');
END;
-- With a record go the wakes that it was the reason for.
CREATE TRIGGER wakes_forgotten AFTER DELETE ON questions BEGIN
    DELETE FROM wake_causes WHERE subject = OLD.incarnation;
    DELETE FROM wakes WHERE agent = OLD.agent
        AND id IN (OLD.incarnation || '.answered', OLD.incarnation || '.picked', OLD.incarnation || '.deadline', OLD.incarnation || '.late_pick');
END;
