-- When it was kept, in milliseconds: what is kept of a message of a chat is forgotten in time.
ALTER TABLE kept ADD COLUMN kept_at INTEGER NOT NULL DEFAULT 0;
UPDATE kept SET kept_at = unixepoch() * 1000;
