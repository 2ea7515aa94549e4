-- Slices of the ledger of which the archive holds fewer than 99 in 100 of the reports that the source had then. One in a
-- hundred is left for reports that their own time moved over the slice's edge.
WITH
    daily AS
    (
        SELECT station, toDate(observedAt) AS day, count() AS reports
        FROM $live
        GROUP BY station, day
    ),
    held AS
    (
        SELECT station, day, reports FROM daily
        UNION ALL
        SELECT '*', day, sum(reports) FROM daily GROUP BY day
    ),
    told AS
    (
        SELECT source, station, firstDay, endDay, argMax(slices.reports, recordedAt) AS reports
        FROM slices
        WHERE firstDay >= toDate({from:DateTime('UTC')}) AND firstDay < toDate({to:DateTime('UTC')}) AND doneDay = endDay
            AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
        GROUP BY source, station, firstDay, endDay
    )
SELECT
    told.source AS source,
    told.station AS station,
    told.firstDay AS firstDay,
    told.endDay AS endDay,
    any(told.reports) AS had,
    toUInt32(sumIf(held.reports, held.day >= told.firstDay AND held.day < told.endDay)) AS holds
FROM told
LEFT JOIN held ON held.station = told.station
GROUP BY source, station, firstDay, endDay
HAVING holds < 0.99 * had
ORDER BY station, firstDay, source
