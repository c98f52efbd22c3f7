-- Rows that schema 5 brought: a text that waits after two tries, and a wake-up that was given up.
INSERT INTO dispatches (id, line, kind, state, made_at, due_at, attempts, reason) VALUES
('0f0e0d0c-0b0a-8908-8706-050403020100', 'telegram:-1001',
 '{"kind":"text","request":"r-00000000000000d4","chat":-1001,"topic":null,"message":90,"link":"https://t.me/c/1/90"}',
 'waiting', 1796045200000, 1796045290000, 2, NULL),
('1f1e1d1c-1b1a-8918-9716-151413121110', '1f1e1d1c-1b1a-8918-9716-151413121110',
 '{"kind":"answered","incarnation":"00000000000000a1","reason":"answered"}',
 'failed', 1796045200000, 1796045200000, 1, 'GitHub answered 422');
