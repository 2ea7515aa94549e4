-- Rebuilds a projection in the parts that lack it, while other statements run.
ALTER TABLE $table
    MATERIALIZE PROJECTION $projection
