-- Years with rows of an older version of the decoder, whether or not newer rows have replaced them since.
SELECT DISTINCT toYear(observedAt) AS year
FROM observations
WHERE decoder < {decoder:UInt16}
    AND NOT retracted
    AND observedAt >= {from:DateTime('UTC')}
    AND observedAt < {to:DateTime('UTC')}
ORDER BY year DESC
