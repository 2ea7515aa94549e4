-- Reports a day in the slices nearest in time to one, of the same source and station: what it can be held against.
-- Slices that were never proved whole, such as files, tell nothing.
SELECT median(reports / (endDay - firstDay)) AS reportsPerDay, count() AS slices
FROM
(
    SELECT firstDay, endDay, reports
    FROM slices
    WHERE source = {source:String}
        AND station = {station:String}
        AND doneDay = endDay
        AND (endDay <= {firstDay:Date} OR firstDay >= {endDay:Date})
    ORDER BY abs(firstDay - {firstDay:Date})
    LIMIT 3
)
