-- What follows a cursor, among rows that start at its minute: rows of that minute that come before the cursor are left
-- out. One comparison of tuples over the whole range would keep every granule of the primary index.
NOT (observedAt = {afterTime:DateTime('UTC')}
    AND (station, toInt8(type), fingerprint) <= ({afterStation:String}, {afterType:Int8}, {afterFingerprint:UInt32}))
