-- Which stations have rows in some parts. A part that is missing from the result has been merged into another one
-- meanwhile.
SELECT
    concat(toString(shardNum()), '-', _part) AS part,
    groupUniqArray(station) AS stations
FROM $table
WHERE _part IN {parts:Array(String)}
GROUP BY
    shardNum(),
    _part
