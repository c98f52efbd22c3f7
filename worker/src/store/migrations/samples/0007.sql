-- Rows that schema 7 brought: a record beyond its window, and a key under which it was decided.
INSERT INTO questions (id, incarnation, agent, publication, fingerprint, state, hard, asked_at, ended_at, revision, record, in_window) VALUES
('long-ago', '00000000000000e5', 'deploy', NULL, '9c41', 'withdrawn', 0, 1796044800000, 1796044860000, 2,
 '{"question":{"id":"long-ago","incarnation":"00000000000000e5","purpose":"question","text":"Keep the Größe?","options":[{"id":"1","label":"Yes"},{"id":"2","label":"No"}],"recommended":null,"header":null,"reversibility":null,"waiting_on":null,"issue":null,"source":{"agent":"deploy","run":null,"task":null,"project":null,"seat_hint":null},"publication_id":null,"asked_at":"2026-11-30T13:20:00.000Z"},"state":{"withdrawn":{"at":"2026-11-30T13:21:00.000Z","by":{"kind":"agent","id":"agent:deploy","via":"http"},"reason":"solved"}},"delivery":{"state":"stored","reason":null,"link":null},"revision":2}', 0);
INSERT INTO used_ids (id) VALUES ('long-ago');
INSERT INTO used_keys (actor, key, incarnation, kind, digest, at) VALUES ('token:desk', 'k-1', '9f3c2a715be04d18', 'answer', 'd1f7', 1796045103120);
