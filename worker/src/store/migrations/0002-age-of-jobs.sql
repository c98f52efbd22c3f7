-- When a job was stored. Its due time moves with each try, so it tells no age. Jobs of before have none.
ALTER TABLE jobs ADD COLUMN made_at INTEGER;
