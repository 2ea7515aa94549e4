-- What a file of reports holds, and what the archive lacks of it. `malformed` counts rows that no report of an archive
-- can be, that do not belong in this file, or that repeat another one.
SELECT
    toUInt32(count() - uniqExact(station, observedAt, $fingerprint) + countIf(NOT (
        match(station, '^[A-Z][A-Z0-9]{3}$')
        AND station >= {firstStation:String}
        AND station <= {lastStation:String}
        AND observedAt >= {from:DateTime('UTC')}
        AND observedAt < least({to:DateTime('UTC')}, now() + INTERVAL 1 DAY)
        AND toUnixTimestamp64Milli(observedAt) % 60000 = 0
        AND type IN ('METAR', 'SPECI')
        AND parseStatus IN ('parsed', 'failed', 'raw_only')
        AND match(source, '^[a-z][a-z0-9_-]{0,31}$')
        AND decoder <= 255
        AND notEmpty(raw)))) AS malformed,
    toUInt8(least(min(decoder), 255)) AS oldestDecoder,
    toUInt32((SELECT count() FROM ($storedKeys))) AS stored,
    toUInt32(countIf(stored = 0 OR (station, toDateTime(observedAt, 'UTC'), $fingerprint) NOT IN ($storedKeys))) AS missing
FROM snapshot_file
