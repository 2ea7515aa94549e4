import { SECONDS_PER_HOUR } from '../model/day.ts';
import { nominalHour } from '../model/time-window.ts';
import type { MonthReports } from './local-month.ts';
import { MEANS } from './means.ts';
import type { Reports } from './reports.ts';
import { canDecide } from './weather.ts';

/** What a report must have to count for a value: a field, information on thunder or on other weather, or nothing. */
const EVIDENCE = [...Object.values(MEANS), 'visib_m', 'weather', 'thunder', 'any'] as const;
export type Evidence = (typeof EVIDENCE)[number];

/** With six missing hours, two reports are seven nominal hours apart. So reports at the main synoptic hours are enough. */
const MAX_HOURS_BETWEEN_REPORTS = 7;

/**
 * For each kind of evidence and each day of a month, 1 if enough is known for means and extremes (D59): no run of more than six
 * missing hours of the hourly sample touches the day. A run lasts from an hour after the report before it to an hour before the
 * report after it, and counts on each day that it touches. The hour of a report that cannot be read, or that lacks the evidence,
 * is missing (D78).
 *
 * @param until the present: no report can be of this time or later
 */
export function wholeDays(all: MonthReports, until: number): Readonly<Record<Evidence, Uint8Array>> {
  const { reports } = all;
  const sample: number[] = [];
  for (let row = 0; row < reports.time.length; row += 1)
    if (reports.isFirst[row] === 1 && reports.isReadable[row] === 1) sample.push(row);
  const found = EVIDENCE.map((needed) => {
    const has = evidenceIn(reports, needed);
    return [needed, daysWithoutGaps(all, until, sample.filter(has))];
  });
  return Object.fromEntries(found);
}

function evidenceIn(reports: Reports, needed: Evidence): (row: number) => boolean {
  if (needed === 'any') return () => true;
  if (needed === 'weather' || needed === 'thunder') return (row) => canDecide(reports, row, needed);
  const values = reports[needed];
  return (row) => !Number.isNaN(values[row]);
}

function daysWithoutGaps({ reports, dayOf, ...month }: MonthReports, until: number, rows: readonly number[]) {
  const days = new Uint8Array(month.days.length).fill(1);
  const refuse = (first: number, last: number) => days.fill(0, Math.max(0, first), Math.max(0, last + 1));
  const isLong = (before: number, after: number) =>
    nominalHour(after) - nominalHour(before) > MAX_HOURS_BETWEEN_REPORTS;
  let before: number | undefined;
  for (const row of rows) {
    const time = reports.time[row] as number;
    if (before === undefined) refuse(0, dayOf(time - SECONDS_PER_HOUR));
    else if (isLong(before, time)) refuse(dayOf(before + SECONDS_PER_HOUR), dayOf(time - SECONDS_PER_HOUR));
    before = time;
  }
  if (before === undefined) refuse(0, days.length - 1);
  else if (isLong(before, until)) refuse(dayOf(before + SECONDS_PER_HOUR), days.length - 1);
  return days;
}
