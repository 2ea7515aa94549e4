-- What follows a cursor, of the rows that begin with its minute: those of the minute itself that stood before it are
-- left out. As one comparison of tuples over the whole range it would keep every granule of the primary index.
AND NOT (observedAt = {afterTime:DateTime('UTC')}
    AND (station, toInt8(type), fingerprint) <= ({afterStation:String}, {afterType:Int8}, {afterFingerprint:UInt32}))
