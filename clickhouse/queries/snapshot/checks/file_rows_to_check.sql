-- The rows of a file of reports that the loader must check itself. `isOdd`: the identity does not follow from the text
-- in the simple way that it does for most reports: the fingerprint is that of the text without its keyword and its end,
-- and the text begins with the station and the time. `isOther`: the archive has the report with another text, source or
-- type; where it had none of the file, none of its keys is made. The others are a sample of about 1,000 rows per file,
-- whose decoded fields are compared with the text.
WITH
    if(startsWith(raw, 'METAR ') OR startsWith(raw, 'SPECI '), substring(raw, 7), raw) AS report,
    trimRight(report, '=$ ') AS body,
    toDateTime(snapshot_file.observedAt, 'UTC') AS minute
SELECT
    station,
    toUnixTimestamp(minute) AS observedAt,
    type,
    leftPad(lower(hex($fingerprint)), 8, '0') AS fingerprint,
    raw,
    source,
    decoder,
    CAST(parseStatus = 'parsed', 'Bool') AS clean,
    $fields,
    NOT (
        NOT match(raw, '[^ -~]|[a-z,]|^ |  |COR|=$')
        AND length(raw) < 4000
        AND (snapshot_file.fingerprint IS NULL OR snapshot_file.fingerprint = $usualFingerprint)
        AND match(body, '^[A-Z][A-Z0-9]{3} [0-9]{6}Z ')
        AND substring(body, 6, 6) = formatDateTime(minute, '%d%H%i')
        AND (NOT match(raw, '^(?:METAR|SPECI) ') OR startsWith(raw, type))) AS isOdd,
    {isMerged:Bool}
        AND (station, minute, $fingerprint) IN ($storedKeys)
        AND (station, minute, $fingerprint, type, source, cityHash64(raw)) NOT IN
        (
            SELECT
                station,
                observedAt,
                fingerprint,
                CAST(type, 'String'),
                source,
                cityHash64(raw)
            FROM observations
            WHERE station >= {firstStation:String}
                AND station <= {lastStation:String}
                AND observations.observedAt >= {from:DateTime('UTC')}
                AND observations.observedAt < {to:DateTime('UTC')}
                AND NOT retracted
        ) AS isOther
FROM snapshot_file
WHERE isOdd
    OR isOther
    OR cityHash64(raw) % {sampledEach:UInt32} = 0
