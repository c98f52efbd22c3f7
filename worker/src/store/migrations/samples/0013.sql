INSERT INTO kept (name, value, kept_at) VALUES ('text:-1001:9', '5a5a', 1000);
