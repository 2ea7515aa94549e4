-- The columns of `observations` and of `station_observations`. Those of the decoded and derived fields follow from their
-- list (`model/field-columns.ts`). Codecs are set in the configuration of the server (`server/config.d/history.xml`).
    observedAt  DateTime('UTC')        COMMENT 'Observation time, a whole minute' CODEC(Delta, Default),
    station     LowCardinality(String) COMMENT 'ICAO code',
    type        Enum8('METAR' = 1, 'SPECI' = 2),
    fingerprint UInt32                 COMMENT 'First 4 bytes of the SHA-256 of the report body',
    version     UInt32                 COMMENT 'Rank of the source, revision, hash of the content, decoder: 8 bits each',
    retracted   Bool                   COMMENT 'The type of the report was corrected: this key is void',
    counts      $counts COMMENT 'For what it counts in series and statistics (`model/report.ts`)',
    source      LowCardinality(String) COMMENT 'Source of text and type',
    text        String                 COMMENT 'The report without its station and time: `model/report.ts`',
    raw         String                 ALIAS $raw COMMENT 'The report as the source sent it, one line',
    clean       Bool                   COMMENT 'The decoder explained every group of the body',
    decoder     UInt16                 COMMENT 'Version of the decoder that wrote the fields',
    $columns
