import { FIELDS_FOR_CONDITIONS } from '../../clickhouse/conditions/fields.ts';
import { type CoverageState, NO_COVERAGE } from '../../clickhouse/coverage/rules.ts';
import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../../clickhouse/model/day.ts';
import { clampToArchive } from '../../clickhouse/model/time-window.ts';
import { calendarGroups } from '../../clickhouse/statistics/calendar.ts';
import { CALENDAR_UNITS, type Group, type Question } from '../../clickhouse/statistics/question.ts';
import { MAX_ROWS } from '../../clickhouse/statistics/read-statistics.ts';
import { invalidParameter } from '../problem.ts';

/** Station-years (a year of reports of one station) that a question may read. */
const MAX_STATION_YEARS = 1000;
/** A question with percentiles of more fields may read proportionally less, because all their values are in memory at once. */
const PERCENTILE_FIELDS = 4;

/** Bytes of a value with its name, as JSON. */
const VALUE_BYTES = 40;
/** Bytes of the keys and the counts of a row. */
const ROW_BYTES = 120;

const YEAR_SECONDS = 31_556_952;

/** How much a question reads: the part of its range in which its stations have reports, in station-years. */
export function countStationYears(
  { stations, ...range }: Pick<Question, 'stations' | 'from' | 'to'>,
  states: ReadonlyMap<string, CoverageState>,
): number {
  const window = clampToArchive(range);
  if (window === undefined) return 0;
  let seconds = 0;
  for (const station of stations) {
    const { reports } = states.get(station) ?? NO_COVERAGE;
    const years = new Map<number, { first: number; last: number }>();
    for (const { first, last } of reports) {
      const year = new Date(first * 1000).getUTCFullYear();
      const known = years.get(year) ?? { first, last };
      years.set(year, { first: Math.min(first, known.first), last: Math.max(last, known.last) });
    }
    for (const { first, last } of years.values())
      seconds += Math.max(0, Math.min(last, window.to) - Math.max(first, window.from));
  }
  return seconds / YEAR_SECONDS;
}

/** Rejects a question that reads too much, before its query (400). */
export function requireFewStationYears({ statistics }: Question, stationYears: number): void {
  const fields = statistics.flatMap((each) => (each.kind === 'percentile' ? [each.field] : []));
  const most = Math.floor(MAX_STATION_YEARS / Math.max(1, new Set(fields).size / PERCENTILE_FIELDS));
  if (stationYears <= most) return;
  const [asked, bound] = [Math.ceil(stationYears), most].map((n) => n.toLocaleString('en'));
  throw invalidParameter(
    'stations',
    `have ${asked} years of reports in the range, and one request may ask for ${bound} station-years: ask for fewer stations or a shorter range`,
  );
}

/**
 * Rejects a question with too many calendar groups, before its query (400).
 *
 * @returns the most memory in bytes that the answer can take
 */
export function requireFewRows({ groups, stations, statistics, ...range }: Question): number {
  const ofCalendar = countCalendarGroups({ groups, ...range }) * stations.length;
  if (ofCalendar > MAX_ROWS) throw tooManyRows(ofCalendar);
  const rows = groups.reduce((product, group) => product * sizeOf(group), ofCalendar);
  return Math.min(MAX_ROWS, rows) * (ROW_BYTES + statistics.length * VALUE_BYTES);
}

export function tooManyRows(rows?: number) {
  const bound = MAX_ROWS.toLocaleString('en');
  const asked = rows === undefined ? `more than ${bound} rows` : `about ${rows.toLocaleString('en')} rows`;
  const detail = `makes ${asked}, and one answer has at most ${bound}: ask for fewer groups or stations, or a shorter range`;
  return invalidParameter('by', detail);
}

/** The number of calendar groups in the range, in UTC: another zone can have one more at each end. */
export function countCalendarGroups({ from, to, groups }: Pick<Question, 'from' | 'to' | 'groups'>): number {
  const units = new Set(groups.flatMap((group) => (group.kind === 'calendar' ? [group.unit] : [])));
  const window = clampToArchive({ from, to });
  if (units.size === 0 || window === undefined) return 1;
  const days = Math.ceil(window.to / SECONDS_PER_DAY) - Math.floor(window.from / SECONDS_PER_DAY);
  const ofMonths = CALENDAR_UNITS.filter((unit) => unit !== 'hour' && units.has(unit));
  const ofDays = units.has('date') ? days : calendarGroups(ofMonths, window, []).length;
  const hours = Math.ceil((window.to - window.from) / SECONDS_PER_HOUR);
  return Math.min(hours, ofDays * (units.has('hour') ? 24 : 1));
}

/** How many values a group can have; calendar groups are counted together. */
function sizeOf(group: Group): number {
  if (group.kind === 'sector') return group.sectors + 3;
  if (group.kind === 'class') return group.bounds.length + 2;
  const values = group.kind === 'choice' ? FIELDS_FOR_CONDITIONS.get(group.field)?.values : undefined;
  return values?.kind === 'choice' ? values.choices.length + 1 : 1;
}
