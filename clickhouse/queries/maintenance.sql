-- name: candidate_conflicts
-- Stations with more rows than reports in a window: a report has several versions, or it is stored under both types.
SELECT station
FROM observations
WHERE $ofStation
    AND observations.observedAt >= {from:DateTime('UTC')}
    AND observations.observedAt < {to:DateTime('UTC')}
GROUP BY station
HAVING count() != uniqExact(bitShiftLeft(toUInt64(observedAt), 32) + fingerprint)

-- name: type_conflicts
-- Stations with a report that is current under both types: two loaders wrote it at the same time, and neither saw the
-- other's row.
SELECT DISTINCT station
FROM
(
    SELECT station, observedAt, fingerprint
    FROM observations
    WHERE $ofStation
        AND observations.observedAt >= {from:DateTime('UTC')}
        AND observations.observedAt < {to:DateTime('UTC')}
    GROUP BY station, observedAt, type, fingerprint
    HAVING NOT argMax(retracted, version)
)
GROUP BY station, observedAt, fingerprint
HAVING count() > 1

-- name: minute_histogram
-- How many reports each station has at each minute of the hour in a window, by type. `typeSent` says whether the source
-- sent the type. Reports that their source calls SPECI are left out: they say nothing about the minutes of routine
-- reports.
SELECT
    station,
    toMinute(observedAt) AS minute,
    type,
    startsWith(raw, 'METAR ') OR startsWith(raw, 'SPECI ') OR source IN {typedSources:Array(String)} AS typeSent,
    toUInt32(count()) AS reports
FROM observations FINAL
WHERE observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
    AND NOT retracted
GROUP BY station, minute, type, typeSent
HAVING NOT (typeSent AND type = 'SPECI')

-- name: outdated_years
-- Years with rows of an older version of the decoder, whether or not newer rows have replaced them since.
SELECT DISTINCT toYear(observedAt) AS year
FROM observations
WHERE decoder < {decoder:UInt16}
    AND NOT retracted
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
ORDER BY year DESC

-- name: outdated_counts
-- How many reports of each station were last decoded by an older version of the decoder.
SELECT station, toUInt32(count()) AS reports
FROM $currentReports
WHERE decoder < {decoder:UInt16}
GROUP BY station
ORDER BY station

-- name: outdated_reports
-- The reports that were last decoded by an older version of the decoder.
SELECT
    toUnixTimestamp(observedAt) AS observedAt,
    station,
    type,
    leftPad(lower(hex(fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    version
FROM $currentReports
WHERE decoder < {decoder:UInt16}

-- name: source_listing
-- Whether a source lists any station.
SELECT station
FROM stations
WHERE source = {source:String}
LIMIT 1

-- name: delete_rows
-- Removes rows from a table; complete when it returns. The parts are rewritten: rows of a lightweight DELETE come back
-- through the projection.
ALTER TABLE $table
    DELETE WHERE $condition
SETTINGS mutations_sync = 2
