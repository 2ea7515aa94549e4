-- What a snapshot says about stations. A name that is cut here is longer than any that a loader stores.
SELECT
    station,
    source,
    substring(name, 1, 1000) AS name,
    country,
    latitude,
    longitude,
    elevation_m,
    substring(timezone, 1, 1000) AS timezone
FROM snapshot_file
