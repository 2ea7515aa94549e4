-- What comes before the end of a stream, among rows that end with its minute.
NOT (observedAt = {lastTime:DateTime('UTC')}
    AND (station, toInt8(type), fingerprint) > ({lastStation:String}, {lastType:Int8}, {lastFingerprint:UInt32}))
