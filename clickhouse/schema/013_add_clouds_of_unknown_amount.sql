-- A decoded field, a column of its own: a column is added without touching a part.
ALTER TABLE observations
    ADD COLUMN IF NOT EXISTS clouds_unknown Nullable(String) COMMENT 'Decoded field: cloud layers whose amount is not reported, as sent' AFTER convective
