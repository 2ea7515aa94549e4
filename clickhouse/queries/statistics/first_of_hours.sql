-- The first report of each nominal hour, among reports in the order of stations and times. The window has no order of its
-- own: then the engine takes the rows as they come, where it would sort them again. (LIMIT 1 BY station, hour keeps each
-- hour in memory.)
WINDOW asTheyCome AS (ROWS BETWEEN 1 PRECEDING AND CURRENT ROW)
QUALIFY stationHour != lagInFrame(stationHour) OVER asTheyCome
