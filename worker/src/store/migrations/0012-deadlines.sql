-- Open questions that their deadline ends. It stands in the record as RFC 3339 in UTC, which sorts as text.
CREATE INDEX questions_due ON questions (json_extract(record, '$.question.deadline'))
    WHERE state = 'open' AND json_extract(record, '$.question.deadline') IS NOT NULL
    AND (json_extract(record, '$.question.default') IS NOT NULL OR json_extract(record, '$.question.purpose') = 'approval');
