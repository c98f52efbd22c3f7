-- Rows that schema 8 brought: an update that nobody read yet, and one that was dismissed.
INSERT INTO published_updates (id, agent, publication, state, at, dismissed_at, bytes, content) VALUES
('u-00000000000000f6', 'deploy', 'pub-7', 'unread', 1796045300000, NULL, 490,
 '{"id":"u-00000000000000f6","title":"Released 2.4","body":"All checks passed.","links":[{"label":"Notes","url":"https://example.org/2.4"}],"media":[{"url":"https://example.org/2.4.png","mime_type":"image/png","alt":null}],"issue":null,"source":{"agent":"deploy","run":"7","task":null,"project":null,"seat_hint":null},"at":"2026-11-30T13:28:20.000Z","state":"unread","read_at":null,"dismissed_at":null,"publication_id":"pub-7"}'),
('u-0000000000000a17', 'control/ci', NULL, 'dismissed', 1796045200000, 1796045260000, 430,
 '{"id":"u-0000000000000a17","title":"Nightly build","body":"Green.","links":[],"media":[],"issue":null,"source":{"agent":"control/ci","run":null,"task":null,"project":null,"seat_hint":null},"at":"2026-11-30T13:26:40.000Z","state":"dismissed","read_at":"2026-11-30T13:27:00.000Z","dismissed_at":"2026-11-30T13:27:40.000Z","publication_id":null}');
