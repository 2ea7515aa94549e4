-- The reports with a row that meets a condition, in any version; the highest version is checked again. (A cluster runs
-- the subquery once, over all shards.)
(station, observedAt) GLOBAL IN (SELECT station, observedAt FROM observations WHERE $selected AND ($meets))
