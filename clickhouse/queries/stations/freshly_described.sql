-- The stations that a source has described since a time.
SELECT DISTINCT station
FROM station_descriptions
WHERE source = {source:String}
    AND fetchedAt >= {since:DateTime('UTC')}
