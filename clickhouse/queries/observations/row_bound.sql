-- How many rows the granules have that a range is read from: never fewer than the rows of the range. The indexes alone are
-- read. (Of count() it would leave out what it can count itself.)
EXPLAIN ESTIMATE
SELECT fingerprint
FROM observations
WHERE $selected
