-- What the ledger holds of a source and station that is done to its last day. Slices that were never proved whole, such
-- as files, tell nothing.
SELECT firstDay, endDay, reports
FROM slices
WHERE source = {source:String}
    AND station = {station:String}
    AND doneDay = endDay
