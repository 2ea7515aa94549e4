-- Two decoded fields. Each is a column of its own: a column is added without touching a part, while an element of the
-- tuple `decoded` is added by a mutation that rewrites all of `decoded`. Pages print both inside `decoded`.
ALTER TABLE observations
    ADD COLUMN IF NOT EXISTS ws Nullable(String) COMMENT 'Decoded field: wind shear groups, as sent' AFTER decoded,
    ADD COLUMN IF NOT EXISTS convective Nullable(Enum8('CB' = 1, 'TCU' = 2)) COMMENT 'Decoded field: convective cloud of unknown amount' AFTER ws
