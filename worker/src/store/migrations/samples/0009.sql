-- Rows that schema 9 brought: what became of a question of schema 1.
INSERT INTO happenings (kind, agent, about, at) VALUES
('question.answering', 'deploy', '9f3c2a715be04d18', 1796045103120),
('question.ended', 'deploy', '9f3c2a715be04d18', 1796045103140),
('answer.shown', 'deploy', '9f3c2a715be04d18', 1796045103140),
('question.changed', 'deploy', 'ffffffffffffffff', 1796045103150);
