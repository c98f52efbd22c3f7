-- Schema 17 is an index alone: every row reads as before.
SELECT 1;
