-- When the owner of an open question is to be reminded of it, in milliseconds: halfway to its deadline, and only once. Its deadline
-- stands in the record as RFC 3339 in UTC with three digits of a second's fraction.
ALTER TABLE questions ADD COLUMN deadline TEXT GENERATED ALWAYS AS (json_extract(record, '$.question.deadline')) VIRTUAL;
ALTER TABLE questions ADD COLUMN remind_at INTEGER GENERATED ALWAYS AS (
    CASE WHEN json_extract(record, '$.reminded_at') IS NULL THEN
        asked_at + (unixepoch(deadline) * 1000 + CAST(substr(deadline, -4, 3) AS INTEGER) - asked_at) / 2
    END
) VIRTUAL;
CREATE INDEX questions_to_remind ON questions (remind_at) WHERE state = 'open' AND put_to IS NULL AND remind_at IS NOT NULL;
