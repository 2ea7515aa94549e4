-- Adds the reports of a file that the archive lacks. Those to decode again are stored as not parsed, with decoder 0.
INSERT INTO observations (observedAt, station, type, fingerprint, version, retracted, source, text, clean, decoder, $names)
SELECT
    toDateTime(file.observedAt, 'UTC'),
    file.station,
    file.type,
    $fingerprint AS reportFingerprint,
    transform(file.source, {sources:Array(String)}, {versions:Array(UInt32)}, toUInt32(0)),
    false,
    file.source,
    $text,
    file.parseStatus = 'parsed' AND NOT {decodeAgain:Bool},
    if({decodeAgain:Bool}, 0, file.decoder),
    $values
FROM input('$structure') AS file
WHERE (file.station, toDateTime(file.observedAt, 'UTC'), reportFingerprint) NOT IN ($storedKeys)
    AND
    (
        empty({refused:Array(String)})
        OR concat(file.station, toString(toUnixTimestamp(toDateTime(file.observedAt, 'UTC'))), leftPad(lower(hex(reportFingerprint)), 8, '0')) NOT IN {refused:Array(String)}
    )
FORMAT Parquet
