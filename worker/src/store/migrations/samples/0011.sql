-- A row that schema 11 brought: a private answer that its agent has not confirmed.
INSERT INTO private_answers (incarnation) VALUES ('00000000000000a1');
