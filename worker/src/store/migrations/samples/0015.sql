INSERT INTO runners (agent, since) VALUES ('deploy', 1796045000000);
INSERT INTO wake_causes (agent, kind, subject, at) VALUES ('deploy', 'reply', 'y-00000000000000a1', 1796045200000);
INSERT INTO wakes (agent, id, author, at, state, mark, lease_until, times) VALUES
    ('deploy', 'r-00000000000000d4.request', 'asker', 1796045200000, 'waiting', 'm-1', 1796045260000, 1),
    ('deploy', '9f3c2a715be04d18.answered', NULL, 1796045200000, 'done', NULL, NULL, 1);
