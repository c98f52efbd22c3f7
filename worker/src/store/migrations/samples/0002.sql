-- What schema 2 added, on top of the rows of schema 1: a job that knows when it was stored.
INSERT INTO jobs (id, incarnation, kind, class, state, due_at, attempts, reason, made_at) VALUES
('00000000000000b2-2-mark', '00000000000000b2', '{"kind":"mark_topic"}', 5, 'failed', 1796044938000, 0, 'chat not found', 1796044937500);
