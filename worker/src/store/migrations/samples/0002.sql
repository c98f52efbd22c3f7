-- Rows as schema 2 holds them: an open, an answering and an answered question, and a row or two of everything else.
INSERT INTO questions (id, incarnation, agent, publication, fingerprint, state, hard, asked_at, ended_at, revision, record) VALUES
('rel-42', '9f3c2a715be04d18', 'deploy', 'pub-1', '0b2c', 'answered', 0, 1796044935004, 1796045103120, 3,
 '{"question":{"id":"rel-42","incarnation":"9f3c2a715be04d18","purpose":"question","text":"Release 2.4 now?","options":[{"id":"1","label":"Yes, release"},{"id":"2","label":"No"}],"recommended":"1","header":null,"reversibility":null,"waiting_on":null,"issue":null,"source":{"agent":"deploy","run":null,"task":null,"project":null,"seat_hint":null},"publication_id":"pub-1","asked_at":"2026-11-30T13:22:15.004Z"},"state":{"ended":{"answer":{"id":"rel-42","incarnation":"9f3c2a715be04d18","outcome":"chosen","choice":"1","answer":"Yes, release","at":"2026-11-30T13:25:03.120Z","asked_at":"2026-11-30T13:22:15.004Z","by":{"kind":"owner","id":"telegram:4242","via":"telegram"},"question":"Release 2.4 now?","options":[{"id":"1","label":"Yes, release"},{"id":"2","label":"No"}],"recorded":"Yes, release","digest":null,"signature":"ed25519:AAAA"},"commit":"c0ffee"}},"delivery":{"state":"shown","reason":null,"link":"https://t.me/c/1001/77"},"revision":3}'),
('which-port', '00000000000000b2', 'deploy', NULL, '5f1d', 'answering', 0, 1796044936000, NULL, 2,
 '{"question":{"id":"which-port","incarnation":"00000000000000b2","purpose":"clarification","text":"Which port?","options":[],"recommended":null,"header":"Port","reversibility":"reversible","waiting_on":"the release","issue":{"tracker":"github","key":"12","url":"https://example.org/12"},"source":{"agent":"deploy","run":"7","task":"t","project":"p","seat_hint":"desk"},"publication_id":null,"asked_at":"2026-11-30T13:22:16.000Z"},"state":{"answering":{"answer":{"id":"which-port","incarnation":"00000000000000b2","outcome":"own_words","choice":null,"answer":"8080","at":"2026-11-30T13:25:04.000Z","asked_at":"2026-11-30T13:22:16.000Z","by":{"kind":"owner","id":"token:desk","via":"http"},"question":"Which port?","options":[],"recorded":"8080","digest":null},"number":2,"origin":"text:77:9","uncertain":{"at":"2026-11-30T13:25:05.000Z","reason":"no reply"}}},"delivery":{"state":"uncertain","reason":"no reply","link":null},"revision":2}'),
('keep-logs', '00000000000000c3', 'deploy', NULL, '77aa', 'open', 1, 1796044937000, NULL, 1,
 '{"question":{"id":"keep-logs","incarnation":"00000000000000c3","purpose":"question","text":"Drop the old logs?","options":[{"id":"1","label":"Drop","detail":"frees 40 GB"},{"id":"2","label":"Keep"}],"recommended":null,"header":null,"reversibility":"hard_to_reverse","waiting_on":null,"issue":null,"source":{"agent":"deploy","run":null,"task":null,"project":null,"seat_hint":null},"publication_id":null,"asked_at":"2026-11-30T13:22:17.000Z"},"state":{"open":{"refused":null}},"delivery":{"state":"queued","reason":null,"link":null},"revision":1}');

INSERT INTO used_ids (id) VALUES ('rel-42'), ('which-port'), ('keep-logs'), ('long-gone');

INSERT INTO updates (id, received_at, body, state, tries) VALUES
(501, 1796044900000, '{"update_id":501}', 'handled', 0),
(502, 1796044900000, '{"update_id":502}', 'new', 1),
(503, 1796044900000, '{"update_id":503}', 'aside', 3);

INSERT INTO jobs (id, incarnation, kind, class, state, due_at, attempts, reason, made_at) VALUES
('00000000000000c3-1-show', '00000000000000c3', '{"kind":"send_question","thread":77}', 1, 'attempting', 1796044937000, 1, NULL, 1796044937000),
('00000000000000c3-1-mark', '00000000000000c3', '{"kind":"mark_topic"}', 5, 'failed', 1796044937000, 0, 'chat not found', NULL);

INSERT INTO places (incarnation, chat, thread, message) VALUES ('00000000000000c3', -1001, 77, 0);

INSERT INTO tokens (id, name, role, hash, created_at, revoked_at) VALUES
('t-owner', 'desk', 'owner', '00aa', 1, NULL),
('t-agent', 'deploy', 'agent', '00bb', 2, NULL),
('t-old', 'deploy', 'agent', '00cc', 3, 4);

INSERT INTO sessions (hash, token, csrf, expires_at) VALUES ('5e55', 't-owner', 'form', 1796131500000);
INSERT INTO login_links (hash, token, expires_at, spent) VALUES ('11aa', 't-owner', 1796131500000, 0), ('11bb', 't-owner', 1796131500000, 1);
INSERT INTO kept (name, value) VALUES ('telegram.offset', '503');
