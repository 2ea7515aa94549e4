-- Which run of the loader wrote a row, and what the archive held once the slice was loaded, so that reports that are lost
-- later are found. Rows of earlier loaders have neither.
ALTER TABLE slices
    ADD COLUMN IF NOT EXISTS run LowCardinality(String) COMMENT 'Run of the loader; ids sort by the start of the run',
    ADD COLUMN IF NOT EXISTS reportsByDay Array(UInt32) COMMENT 'Distinct reports that the archive held of each day from firstDay on, of any source'
