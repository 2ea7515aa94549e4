import type { Observation } from '../../../client/client.d.ts';
import { addDays, addYears } from '../format.ts';
import { chartReports, newestReport, type Period, type Range, type Station, yearPeriod } from './requests.ts';
import type { ColorName } from './statistics.ts';

/** What the page shows. Texts that the address does not give are empty. */
export type Address = ReturnType<typeof parseAddress>;
export type Span = keyof typeof LENGTHS;

/** A compared station or year. `style` is the class of its line, `years` the offset of its year from the shown one. */
export type Entry = ReturnType<typeof entriesOf>[number];

// The query of the address says what the page shows: users can read it, share it and go back to it. It never has the key.

/** The most stations or years in one comparison, including the shown one. */
export const MOST_ENTRIES = 4;

export const STATION = /^[A-Z][A-Z0-9]{3}$/;
export const YEAR = /^(19|20)\d\d$/;

/** Whether there is such a day: 2024-02-29. */
export const isDay = (text: string) =>
  /^(19|20)\d\d-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) === true;

const PATTERNS = {
  q: /^.{0,64}$/s,
  station: STATION,
  span: /^(day|week|month|year|all)$/,
  days: /^[1-9]\d{0,4}$/,
  year: YEAR,
  report: /^[A-Z][A-Z0-9]{3}-\d{12}-[0-9a-f]{8}$/,
  color: /^(temperature|wind|gust|ceiling|fog|thunder|precipitation)$/,
  time: /^local$/,
  runway: /^(0[1-9]|1[0-8])$/,
};

const DEFAULTS = { span: 'week', color: 'temperature' };

export function parseAddress(query: string) {
  const given = new URLSearchParams(query);
  // People write codes of stations in small letters, too, and copy them with spaces.
  for (const name of ['station', 'with']) given.set(name, (given.get(name) ?? '').trim().toUpperCase());
  const read = (name: keyof typeof PATTERNS) => {
    const value = given.get(name) ?? '';
    return PATTERNS[name].test(value) ? value : '';
  };
  const list = (name: string, pattern: RegExp) => [
    ...new Set((given.get(name) ?? '').split(',').filter((each) => pattern.test(each))),
  ];
  const [station, day] = [read('station'), given.get('day') ?? ''];
  const others = list('with', STATION).filter((each) => each !== station);
  return {
    q: read('q'),
    station,
    span: (read('span') || DEFAULTS.span) as Span,
    day: isDay(day) ? day : '',
    /** The number of selected days, which end with `day` and replace those of the span. */
    days: read('days'),
    year: read('year'),
    report: read('report'),
    color: (read('color') || DEFAULTS.color) as ColorName,
    /** The times of the axis; UTC if empty. */
    time: read('time'),
    /** The lower of the two numbers of a runway; if empty, the runway with the least crosswind. */
    runway: read('runway'),
    units: list('units', /^(f|ms|inhg|m|sm|in)$/),
    with: others.slice(0, MOST_ENTRIES - 1),
    // A comparison is of stations or of years, not both.
    years: others.length > 0 ? [] : list('years', YEAR).slice(0, MOST_ENTRIES - 1),
  };
}

export function formatAddress(address: Partial<Address>): string {
  const given = Object.entries(address)
    .map(([name, value]) => [name, String(value)] as const)
    .filter(([name, value]) => value !== '' && value !== DEFAULTS[name as 'span']);
  if (given.length === 0) return '/';
  return `/?${new URLSearchParams(Object.fromEntries(given)).toString().replaceAll('%2C', ',')}`;
}

/** The day and the year of the address. By default they are those of the newest report, or the day is the last of a given year. */
export function timesOf(address: Address, lastReport = '') {
  const newest = lastReport.slice(0, 10);
  const isPast = address.year !== '' && address.year < newest.slice(0, 4);
  const chosen = address.day || (isPast ? `${address.year}-12-31` : newest);
  const year = address.year || chosen.slice(0, 4);
  // Compared years use their own days.
  const isOfYears = address.years.length > 0;
  return { day: isOfYears ? addYears(chosen, Number(year) - Number(chosen.slice(0, 4))) : chosen, year };
}

/** The view of one report among those of its day. */
export const reportAddress = ({ id, station, observedAt }: Observation) =>
  formatAddress({ station, span: 'day', day: observedAt.slice(0, 10), report: id });

/** The compared stations or years, the shown one first. */
export function entriesOf({ station, with: others, years }: Address, year: string) {
  const otherYears = years.filter((each) => each !== year);
  const shown =
    otherYears.length > 0
      ? [year, ...otherYears].map((label) => ({ station, years: Number(label) - Number(year), label }))
      : [station, ...others].map((label) => ({ station: label, years: 0, label }));
  return shown.map((entry, at) => ({ ...entry, style: `entry-${at}` }));
}

export const labelsOf = (shown: readonly { readonly entry: Entry }[]) =>
  shown.map(({ entry }) => entry.label).join(', ');

/** In days. */
export const LENGTHS = { day: 1, week: 7, month: 31, year: 366, all: 0 };

/** The span whose kind of chart suits a number of days. */
const spanOf = (days: number): Span =>
  days > 400 ? 'all' : days > 31 ? 'year' : days > 7 ? 'month' : days > 1 ? 'week' : 'day';

/** The shown days. A day, week, month or selection ends with the chosen day. */
function periodOf({ span, days }: Address, day: string, described: Station): Period {
  const { station, firstReport = '', lastReport = '' } = described;
  if (days === '' && span === 'year') return yearPeriod(station, day.slice(0, 4));
  if (days === '' && span === 'all')
    return { station, from: `${firstReport.slice(0, 4)}-01-01`, to: addDays(lastReport.slice(0, 10), 1) };
  return { station, from: addDays(day, 1 - (Number(days) || LENGTHS[span])), to: addDays(day, 1) };
}

/** The days of an entry that are compared with a period. */
export function shifted({ station, years }: Entry, { from, to }: Range) {
  return { station, from: addYears(from, years), to: addYears(to, years) };
}

/**
 * `days` and `fileDays` name the period, on the page and in file names. `asks` are the requests for the reports of a short
 * period; `newest` is the request for the newest report, if those do not end with it.
 */
export type View = ReturnType<typeof viewOf>;

export function viewOf(address: Address, station: Station) {
  const { lastReport = '' } = station;
  const { day, year } = timesOf(address, lastReport);
  const entries = entriesOf(address, year);
  const period = periodOf(address, day, station);
  const last = addDays(period.to, -1);
  const shown = {
    period,
    days: last === period.from ? last : `${period.from} to ${last}`,
    fileDays: `${period.from}-${last}`,
  };
  const span = address.days === '' ? address.span : spanOf(Number(address.days));
  const isLong = span === 'year' || span === 'all';
  const asks = isLong ? [] : entries.map((entry) => chartReports(shifted(entry, period)));
  const hasNewest = asks.length > 0 && day === lastReport.slice(0, 10);
  const newest = hasNewest ? undefined : newestReport(station.station, lastReport);
  return { address, station, day, year, span, isLong, entries, ...shown, asks, newest };
}
