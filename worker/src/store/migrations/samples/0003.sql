-- Rows that schema 3 brought: a request out of General, and one out of the topic of an ended question.
INSERT INTO requests (id, origin, at, request) VALUES
('r-00000000000000d4', 'telegram:601:-1001:90', 1796045200000,
 '{"id":"r-00000000000000d4","from":{"kind":"owner","id":"telegram:4242","via":"telegram"},"title":"Build this parser","text":"Build this parser\nIn Rust.","tags":[],"issue":null,"about":null,"at":"2026-11-30T13:26:40.000Z"}'),
('r-00000000000000e5', 'telegram:602:-1001:91', 1796045260000,
 '{"id":"r-00000000000000e5","from":{"kind":"owner","id":"telegram:4242","via":"telegram"},"title":"Or rather on Monday","text":"Or rather on Monday","tags":[],"issue":null,"about":"rel-42","at":"2026-11-30T13:27:40.000Z"}');
