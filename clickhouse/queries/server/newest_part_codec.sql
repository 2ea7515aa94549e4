-- The codec of the newest part of the archive. A part exists as soon as a migration has been applied.
SELECT argMax(default_compression_codec, modification_time) AS codec
FROM system.parts
WHERE active
    AND database = currentDatabase()
