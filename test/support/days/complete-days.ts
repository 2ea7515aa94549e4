/** Days of which enough is known for means and extremes (D59). */

const HOUR = 3600;
/** Hours that may be missing one after the other: a report of each main synoptic hour is enough. */
const MOST_MISSING = 6;

/**
 * A run of missing hours lasts from an hour after the report before it to an hour before the report after it: between
 * reports of 19:51 and 5:51 from 20:51 to 4:51, nine hours, and it counts on both days.
 *
 * @param sample observation times of the hourly sample of one station, in order, of all the time
 * @param dateOf the local date of a time, such as `2024-01-31`
 * @returns whether no run of more than six hours has a part on a date
 */
export function completeDays(
  sample: readonly number[],
  dateOf: (time: number) => string,
): (date: string) => boolean {
  const nominalHour = (time: number) => Math.floor((time + 600) / HOUR);
  const runs = [undefined, ...sample].flatMap((before, n) => {
    const after = sample[n];
    const isShort =
      before !== undefined &&
      after !== undefined &&
      nominalHour(after) - nominalHour(before) - 1 <= MOST_MISSING;
    if (isShort) return [];
    return [
      {
        first: before === undefined ? '' : dateOf(before + HOUR),
        last: after === undefined ? '9999' : dateOf(after - HOUR),
      },
    ];
  });
  return (date) => !runs.some(({ first, last }) => first <= date && date <= last);
}
