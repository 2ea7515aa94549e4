-- Whose values count where several sources describe a station: those of the lowest rank. A source writes its own; the
-- defaults are those of the rows that were stored before.
ALTER TABLE station_descriptions
    ADD COLUMN IF NOT EXISTS rank UInt8 DEFAULT transform(source, ['demo', 'iem', 'awc', 'ncei'], [1, 2, 3, 4], 255) COMMENT 'Of name, country and position',
    ADD COLUMN IF NOT EXISTS elevationRank UInt8 DEFAULT transform(source, ['demo', 'awc', 'ncei', 'iem'], [1, 2, 3, 4], 255) COMMENT 'Of the elevation'
