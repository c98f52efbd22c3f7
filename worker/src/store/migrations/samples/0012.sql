-- Schema 12 brought an index alone: nothing to read back.
SELECT 1;
