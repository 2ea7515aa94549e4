-- Builds a projection again in the parts that lack it, beside other statements.
ALTER TABLE $table
    MATERIALIZE PROJECTION $projection
