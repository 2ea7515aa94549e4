-- Whether a source lists any station.
SELECT station
FROM stations
WHERE source = {source:String}
LIMIT 1
