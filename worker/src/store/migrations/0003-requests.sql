-- Requests: what an owner wrote that answers no question. `request` holds the whole; `origin` makes each one once.
CREATE TABLE requests (
    number  INTEGER PRIMARY KEY,
    id      TEXT    NOT NULL UNIQUE,
    origin  TEXT    NOT NULL UNIQUE,
    at      INTEGER NOT NULL,
    request TEXT    NOT NULL
);
CREATE INDEX requests_by_time ON requests (at, number);
