-- How the newest part of the archive is compressed. There is one as soon as a migration has been applied.
SELECT argMax(default_compression_codec, modification_time) AS codec
FROM system.parts
WHERE active AND database = currentDatabase()
