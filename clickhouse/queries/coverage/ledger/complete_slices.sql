-- The slices of a source and station that are done to their last day. Slices never proved complete, such as those of
-- files, have no done day.
SELECT
    firstDay,
    endDay,
    reports
FROM slices
WHERE source = {source:String}
    AND station = {station:String}
    AND doneDay = endDay
