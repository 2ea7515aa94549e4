-- Rebuilds the done days of a calendar year from the ledger, as its materialized view does row by row.
INSERT INTO coverage (station, year, source, days)
SELECT
    station,
    toYear(day) AS year,
    source,
    groupBitmapState(toUInt16(toDayOfYear(day))) AS days
FROM
(
    SELECT
        station,
        source,
        arrayJoin(range(toUInt32(firstDay), toUInt32(doneDay)))::UInt16::Date AS day
    FROM slices
    WHERE firstDay < toDate({to:DateTime('UTC')})
        AND doneDay > toDate({from:DateTime('UTC')})
)
WHERE day >= toDate({from:DateTime('UTC')})
    AND day < toDate({to:DateTime('UTC')})
GROUP BY
    station,
    year,
    source
