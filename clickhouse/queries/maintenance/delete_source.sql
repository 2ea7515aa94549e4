-- Removes the rows of a source from a table. The parts are rewritten: rows of a lightweight DELETE come back through
-- the projection.
ALTER TABLE $table
    DELETE WHERE source = {source:String}
SETTINGS mutations_sync = 2
