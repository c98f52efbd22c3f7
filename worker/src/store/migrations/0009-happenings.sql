-- What happened, in the order of the commits: small rows that point at what they tell of. Numbers are never used twice.
CREATE TABLE happenings (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    kind   TEXT    NOT NULL,
    agent  TEXT    NOT NULL,
    about  TEXT    NOT NULL,
    at     INTEGER NOT NULL
);

-- Questions come in bursts, many to a statement, so that their rows here cost no statement of their own.
CREATE TRIGGER happenings_asked AFTER INSERT ON questions BEGIN
    INSERT INTO happenings (kind, agent, about, at) VALUES ('question.asked', NEW.agent, NEW.incarnation, NEW.asked_at);
END;
