-- Private answers that their agents have not confirmed. The words are in no table: they are held in memory alone.
CREATE TABLE private_answers (incarnation TEXT PRIMARY KEY) WITHOUT ROWID;
