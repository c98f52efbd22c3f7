-- Rows that schema 4 brought: a question of the control repository, its event with its proof, and an early withdrawal.
INSERT INTO questions (id, incarnation, agent, publication, fingerprint, state, hard, asked_at, ended_at, revision, record) VALUES
('from-afar', '00000000000000f6', 'control/ci', NULL, '99bb', 'withdrawn', 0, 1796045300000, 1796045300000, 2,
 '{"question":{"id":"from-afar","incarnation":"00000000000000f6","purpose":"question","text":"Go?","options":[{"id":"1","label":"Yes"},{"id":"2","label":"No"}],"recommended":null,"header":null,"reversibility":null,"waiting_on":null,"issue":null,"source":{"agent":"control/ci","run":null,"task":null,"project":null,"seat_hint":null},"publication_id":null,"asked_at":"2026-11-30T13:28:20.000Z"},"state":{"withdrawn":{"at":"2026-11-30T13:28:20.000Z","by":{"kind":"agent","id":"agent:control/ci","via":"http"},"reason":"solved"}},"delivery":{"state":"stored","reason":null,"link":null},"revision":2}');
INSERT INTO used_ids (id) VALUES ('from-afar');
INSERT INTO control_events (id, digest, status, reply, at) VALUES
('0198f2c4-7d5e-7c11-a2b0-9a1f1f7e0c55', 'b0d1', 201, '{"id":"from-afar"}', 1796045300000);
INSERT INTO control_proofs (proof, event, at) VALUES ('jti:1', '0198f2c4-7d5e-7c11-a2b0-9a1f1f7e0c55', 1796045300000);
INSERT INTO control_withdrawals (author, question, sent_at, reason, at) VALUES ('control', 'not-yet', 1796045299000, 'solved', 1796045300000);
