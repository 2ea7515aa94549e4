/** SQL: the observation time of a report, in seconds since 1970-01-01T00:00:00Z. */
export const OBSERVED = 'toUInt32(observedAt)';

/** Seconds in the lower half of an integer. */
const SECONDS = 0xffff_ffff;

/**
 * One integer that sorts by value and then by time: of equal values the first counts. No field has more than four decimal
 * places, or values above 200,000.
 *
 * @param time seconds since 1970-01-01T00:00:00Z
 */
export function orderSql(of: 'max' | 'min', value: string, time: string): string {
  const order = of === 'max' ? `${SECONDS} - ${time}` : time;
  return `toInt64(round(${value} * 10000)) * ${SECONDS + 1} + ${order}`;
}

/** The time of the extreme of such integers. */
export function timeOf(of: 'max' | 'min', extreme: string): string {
  const time = `bitAnd(${extreme}, ${SECONDS})`;
  return `toDateTime(${of === 'max' ? `${SECONDS} - ${time}` : time}, 'UTC')`;
}

/** The same for whole knots, of which the greatest counts: to round takes longer. */
export function windOrderSql(knots: string, time: string): string {
  return `toInt64(${knots}) * ${SECONDS + 1} + ${SECONDS} - ${time}`;
}

export function windOf(greatest: string): string {
  return `toFloat64(bitShiftRight(${greatest}, 32))`;
}
