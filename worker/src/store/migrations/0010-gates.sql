-- The project that an agent's token is bound to.
ALTER TABLE tokens ADD COLUMN project TEXT;

-- The approvals of a run. A query has to spell both expressions as they stand here.
CREATE INDEX questions_gates ON questions (record ->> '$.question.source.run', agent, number)
WHERE record ->> '$.question.purpose' = 'approval';
