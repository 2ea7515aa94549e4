-- Listings of the archive without a period for which the snapshot has one from the same source: as newer rows they
-- would hide it.
SELECT DISTINCT concat(source, ' ', station) AS listing
FROM snapshot_file
WHERE (snapshot_file.firstDay IS NOT NULL OR snapshot_file.lastDay IS NOT NULL)
    AND (source, station) IN
    (
        SELECT
            source,
            station
        FROM stations
        WHERE stations.firstDay IS NULL
            AND stations.lastDay IS NULL
    )
