-- What the ledger of a snapshot holds: how many rows no loader has written, or claim more than the snapshot says it holds,
-- and the calendar years of which rows make days done.
SELECT
    toUInt32(countIf(NOT (
        match(source, '^[a-z][a-z0-9_-]{0,31}$')
        AND (match(station, '^[A-Z][A-Z0-9]{3}$') OR station = '*')
        AND (empty({stations:Array(String)}) OR station IN {stations:Array(String)})
        AND firstDay >= {firstDay:Date32}
        AND endDay <= {endDay:Date32}
        AND firstDay < endDay
        AND firstDay <= doneDay
        AND doneDay <= endDay
        AND doneDay <= greatest(firstDay, {provisionalFrom:Date32})
        AND length(reportsByDay) = dateDiff('day', firstDay, doneDay)
        AND recordedAt <= now() + INTERVAL 1 DAY))) AS malformed,
    arraySort(groupUniqArrayIf(toYear(firstDay), firstDay < doneDay)) AS years
FROM snapshot_file
