-- The time zone that a source states; where none does, it follows from the position.
ALTER TABLE station_descriptions
    ADD COLUMN IF NOT EXISTS timezone Nullable(String) COMMENT 'IANA name' AFTER elevation_m
