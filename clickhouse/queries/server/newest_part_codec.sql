-- The codec of the newest part of the archive; empty where it has none.
SELECT argMax(default_compression_codec, modification_time) AS codec
FROM system.parts
WHERE active
    AND database = currentDatabase()
