-- Records in `coverage` that a source has sent its first and last reports, even if another source's text is stored.
INSERT INTO sightings (source, station, year, hours, firstReport, lastReport)
SELECT
    source,
    station,
    year,
    arrayDistinct(arrayMap(
        time -> toUInt16((toDayOfYear(time) - 1) * 24 + toHour(time)),
        [toDateTime(file.firstReport, 'UTC'), toDateTime(file.lastReport, 'UTC')])),
    toDateTime(file.firstReport, 'UTC'),
    toDateTime(file.lastReport, 'UTC')
FROM input('$structure') AS file
WHERE toYear(file.firstReport) = year
    AND toYear(file.lastReport) = year
    AND file.firstReport <= file.lastReport
    AND match(station, '^[A-Z][A-Z0-9]{3}$')
FORMAT Parquet
