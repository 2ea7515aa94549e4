-- The codec of the newest part of the archive; empty if it has no parts.
SELECT argMax(default_compression_codec, modification_time) AS codec
FROM system.parts
WHERE active
    AND database = currentDatabase()
