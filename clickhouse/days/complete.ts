import { SECONDS_PER_HOUR } from '../model/day.ts';
import { nominalHour } from '../model/time-window.ts';
import type { MonthReports } from './local-month.ts';

/** Nominal hours between two reports with six missing hours: a report of each main synoptic hour is enough. */
const MAX_HOURS_BETWEEN_REPORTS = 7;

/**
 * For each day of a month 1 if enough is known of it for means and extremes (D59): no run of more than six missing hours of the
 * hourly sample touches it. A run lasts from an hour after the report before it to an hour before the report after it, and
 * counts on each day that has a part of it. The hour of a report that cannot be read, or that lacks the value in question, is
 * missing (D78).
 *
 * @param until there can be no reports from this time on
 * @param isKnown whether a report has the value
 */
export function wholeDays(
  { reports, dayOf, ...month }: MonthReports,
  until: number,
  isKnown: (row: number) => boolean,
): Uint8Array {
  const days = new Uint8Array(month.days.length).fill(1);
  const refuse = (first: number, last: number) => days.fill(0, Math.max(0, first), Math.max(0, last + 1));
  const isLong = (before: number, after: number) =>
    nominalHour(after) - nominalHour(before) > MAX_HOURS_BETWEEN_REPORTS;
  let before: number | undefined;
  for (let row = 0; row < reports.time.length; row += 1) {
    if (reports.isFirst[row] === 0 || reports.isReadable[row] === 0 || !isKnown(row)) continue;
    const time = reports.time[row] as number;
    if (before === undefined) refuse(0, dayOf(time - SECONDS_PER_HOUR));
    else if (isLong(before, time)) refuse(dayOf(before + SECONDS_PER_HOUR), dayOf(time - SECONDS_PER_HOUR));
    before = time;
  }
  if (before === undefined) refuse(0, days.length - 1);
  else if (isLong(before, until)) refuse(dayOf(before + SECONDS_PER_HOUR), days.length - 1);
  return days;
}
