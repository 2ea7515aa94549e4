import { addDays, addYears } from '../format.ts';
import { type Address, type Entry, entriesOf, type Span, timesOf } from './address.ts';
import { chartReports, newestReport, type Period, type Range, type Station, yearPeriod } from './requests.ts';

/** In days. */
export const LENGTHS = { day: 1, week: 7, month: 31, year: 366, all: 0 };

/** The span that is drawn as a number of days is. */
const spanOf = (days: number): Span =>
  days > 400 ? 'all' : days > 31 ? 'year' : days > 7 ? 'month' : days > 1 ? 'week' : 'day';

/** The shown days: up to a month, and of a selection, they end with the chosen day. */
function periodOf({ span, days }: Address, day: string, described: Station): Period {
  const { station, firstReport = '', lastReport = '' } = described;
  if (days !== '') return { station, from: addDays(day, 1 - Number(days)), to: addDays(day, 1) };
  if (span === 'year') return yearPeriod(station, day.slice(0, 4));
  if (span === 'all')
    return { station, from: `${firstReport.slice(0, 4)}-01-01`, to: addDays(lastReport.slice(0, 10), 1) };
  return { station, from: addDays(day, 1 - LENGTHS[span]), to: addDays(day, 1) };
}

export const isLong = (span: Span) => span === 'year' || span === 'all';

export const rangeText = ({ from, to }: Range) =>
  addDays(from, 1) === to ? from : `${from} to ${addDays(to, -1)}`;

/** In the name of a file. */
export const daysOf = ({ from, to }: Range) => `${from}-${addDays(to, -1)}`;

/** The days of an entry that are compared with a period. */
export function shifted({ station, years }: Entry, { from, to }: Range) {
  return { station, from: addYears(from, years), to: addYears(to, years) };
}

/** `asks` are the reports of a short period; `newest` is the newest report, where they do not end with it. */
export type View = ReturnType<typeof viewOf>;

export function viewOf(address: Address, station: Station) {
  const { lastReport = '' } = station;
  const { day, year } = timesOf(address, lastReport);
  const entries = entriesOf(address, year);
  const period = periodOf(address, day, station);
  const span = address.days === '' ? address.span : spanOf(Number(address.days));
  const asks = isLong(span) ? [] : entries.map((entry) => chartReports(shifted(entry, period)));
  const hasNewest = asks.length > 0 && day === lastReport.slice(0, 10);
  const newest = hasNewest ? undefined : newestReport(station.station, lastReport);
  return { address, station, day, year, span, entries, period, asks, newest };
}
