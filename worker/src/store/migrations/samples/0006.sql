-- Rows that schema 6 brought: a file whose event was handled, and one that was refused.
INSERT INTO event_files (name, content, is_refused) VALUES
('0198f2c4-7d5e-7c11-a2b0-9a1f1f7e0c55.json', 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391', 0),
('nonsense.json', '4b825dc642cb6eb9a060e54bf8d69288fbee4904', 1);
