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
export function timeSql(of: 'max' | 'min', column: string): string {
  return timeOf(of, `${of}(${column})`);
}

export function timeOf(of: 'max' | 'min', extreme: string): string {
  const time = `bitAnd(${extreme}, ${SECONDS})`;
  return of === 'max' ? `${SECONDS} - ${time}` : time;
}
