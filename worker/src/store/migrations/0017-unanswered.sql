-- What nobody answered of what one party asked for. The index of all that it asked for would read its answered ones, too.
CREATE INDEX requests_unanswered_of_party ON requests (party, at, number) WHERE answered_at IS NULL;
