-- What schema 16 is about: an open question whose owner was reminded of it.
UPDATE questions SET record = json_set(record, '$.reminded_at', '2026-11-30T14:00:00.000Z') WHERE id = 'keep-logs';
