INSERT INTO replies (id, origin, request, kind, party, at, reply) VALUES
    ('y-00000000000000a1', 'reply:agent:builder:p-1', 'r-00000000000000d4', 'answer', 'agent:builder', 1796045200000,
     '{"id":"y-00000000000000a1","request":"r-00000000000000d4","kind":"answer","author":{"kind":"agent","id":"agent:builder","via":"cli"},"title":"Built","text":"It is in branch parser.","offer":null,"at":"2026-11-30T13:26:40.000Z"}');
UPDATE requests SET answered_at = 1796045200000 WHERE id = 'r-00000000000000d4';
