-- Which stations some parts tell of. A part that is not named here has been merged into another one meanwhile.
SELECT _part AS part, groupUniqArray(station) AS stations
FROM $table
WHERE _part IN {parts:Array(String)}
GROUP BY _part
