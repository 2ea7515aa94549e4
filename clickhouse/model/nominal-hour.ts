/** A report from this long before an hour counts as that hour's: routine reports come some minutes early. */
export const EARLY_SECONDS = 600;

/**
 * SQL over a row of `observations`: the number of its nominal hour, counted from 1970-01-01T00:00:00Z. A report at
 * 11:51 belongs to 12:00.
 */
export const NOMINAL_HOUR = `intDiv(toUInt32(observedAt) + ${EARLY_SECONDS}, 3600)`;
