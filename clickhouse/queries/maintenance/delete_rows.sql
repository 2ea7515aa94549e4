-- Removes rows from a table; complete when it returns. The parts are rewritten: rows of a lightweight DELETE come back
-- through the projection.
ALTER TABLE $table
    DELETE WHERE $condition
SETTINGS mutations_sync = 2
