-- Slices of the ledger of which the archive holds fewer than 99 in 100 of the reports that the source sent. One in a
-- hundred is allowed for reports whose own time lies beyond the edge of the slice. A slice that two runs have received
-- with the same number of reports is left out (D39): to load it again changes nothing. The ledger has no id of a run,
-- so rows that were recorded at different seconds count as different runs: a run records a slice once, after it has
-- received it.
WITH
    daily AS
    (
        SELECT
            station,
            toDate(observedAt) AS day,
            count() AS reports
        FROM $currentReports
        GROUP BY
            station,
            day
    ),
    stored AS
    (
        SELECT
            station,
            day,
            reports
        FROM daily
        UNION ALL
        SELECT
            '*',
            day,
            sum(reports)
        FROM daily
        GROUP BY day
    ),
    recorded AS
    (
        SELECT
            source,
            station,
            firstDay,
            endDay,
            arrayReverseSort(groupUniqArray((recordedAt, slices.reports))) AS runs,
            runs[1].2 AS reports
        FROM slices
        WHERE firstDay >= toDate({from:DateTime('UTC')})
            AND firstDay < toDate({to:DateTime('UTC')})
            AND doneDay = endDay
            AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
        GROUP BY
            source,
            station,
            firstDay,
            endDay
        HAVING NOT (length(runs) > 1 AND runs[1].1 != runs[2].1 AND runs[1].2 = runs[2].2)
    )
SELECT
    recorded.source AS source,
    recorded.station AS station,
    recorded.firstDay AS firstDay,
    recorded.endDay AS endDay,
    any(recorded.reports) AS sent,
    toUInt32(sumIf(stored.reports, stored.day >= recorded.firstDay AND stored.day < recorded.endDay)) AS stored
FROM recorded
LEFT JOIN stored ON stored.station = recorded.station
GROUP BY
    source,
    station,
    firstDay,
    endDay
HAVING stored < 0.99 * sent
ORDER BY
    station,
    firstDay,
    source
