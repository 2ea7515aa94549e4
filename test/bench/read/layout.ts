import { addDays, type Day } from '../../../clickhouse/model/day.ts';
import { demo } from '../../../loader/sources/demo/demo.ts';
import { sum } from '../results.ts';

/**
 * Stations whose reports of 2024 come from the demo source. Every other report of an archive is a copy of one of these,
 * at another time and station.
 */
export const TEMPLATES = stationCodes(0, 24);

/** Days `[firstDay, endDay)` of one station, whose reports are copied from a template station. */
type Copy = {
  readonly station: string;
  readonly template: string;
  /** Days that the template is ahead, so that no two stations report the same weather at one time. */
  readonly shift: number;
  readonly firstDay: Day;
  readonly endDay: Day;
  /** Only reports before this hour of each day. */
  readonly hours: number;
};

export type Layout = {
  /** Hourly reports over 21 years, so that a query for one station costs the same whichever it is. */
  readonly hourly: readonly string[];
  /** All stations with 21 years. */
  readonly long: readonly string[];
  /** A thousand stations, `hourly` among them, from dense ones to some that ended long ago, as in a real archive. */
  readonly thousand: readonly string[];
  /** Fifty of these, which all report in March 2024. */
  readonly fifty: readonly string[];
  readonly sparse: string;
  /** Sends amounts of precipitation, extremes and peak winds, over 21 years. */
  readonly american: string;
  /** No source lists it. */
  readonly unknown: string;
  readonly stations: readonly string[];
  readonly copies: readonly Copy[];
};

const FIRST_YEAR = 2005;
/** Exclusive. */
const END_YEAR = 2026;
export const YEARS = Array.from({ length: END_YEAR - FIRST_YEAR }, (_, n) => FIRST_YEAR + n);

/** A leap year. */
export const TEMPLATE_START = newYear(2024);
export const TEMPLATE_DAYS = 366;
/** Coprime to the 366 days of a template: with steps of this length, 366 stations can share one. */
const SHIFT_DAYS = 35;

/** Up to this size the thousand stations share the reports. A larger archive has further stations of 21 years. */
const CORE_REPORTS = 10_000_000;
const CORE_STATIONS = 1000;
/** Share of the core's reports that belongs to its stations of 21 years. */
const LONG_SHARE = 0.6;
const RECENT_YEAR = 2024;
const RECENT_STATIONS = 50;
const [SPARSE, UNKNOWN] = [17_000, 17_500];
/** Copies its own reports of 2024. Its reports are those of the USA. */
export const AMERICAN = stationCode(17_400);

/** Which station reports when, in an archive of about `reports` reports. The same number gives the same layout. */
export function layoutOf(reports: number): Layout {
  const core = Math.min(reports, CORE_REPORTS);
  const long = longStations(0, core * LONG_SHARE);
  const recent = stationCodes(long.length, RECENT_STATIONS);
  const short = stationCodes(RECENT_STATIONS, CORE_STATIONS);
  const recentReports = sum(recent.map(reportsPerDay)) * 366;
  const rest = core - sum(long.map(reportsOfLongStation)) - recentReports;
  const reportsPerShort = Math.max(240, rest / short.length);
  const further = reports > core ? longStations(CORE_STATIONS, reports - core) : [];
  const sparse = stationCode(SPARSE);
  return {
    hourly: long.filter((station) => reportsPerDay(station) < 30),
    long: [...long, ...further],
    thousand: [...long, ...recent, ...short],
    fifty: [...long, ...recent].slice(0, 50),
    sparse,
    american: AMERICAN,
    unknown: stationCode(UNKNOWN),
    stations: [...long, ...recent, ...short, ...further, sparse, AMERICAN],
    copies: [
      ...[...long, ...further].map((station) => copy(station, newYear(FIRST_YEAR), newYear(END_YEAR))),
      ...recent.map((station) => copy(station, newYear(RECENT_YEAR), newYear(RECENT_YEAR + 1))),
      ...short.map((station, n) =>
        shortCopy(station, n, Math.ceil(reportsPerShort / reportsPerDay(station))),
      ),
      ...YEARS.flatMap((year) => tenHours(sparse, year)),
      { ...copy(AMERICAN, newYear(FIRST_YEAR), newYear(END_YEAR)), template: AMERICAN, shift: 0 },
    ],
  };
}

/** As many stations of 21 years as give this number of reports, at least two. */
function longStations(first: number, reports: number): readonly string[] {
  const stations: string[] = [];
  for (let total = 0; total < reports || stations.length < 2; ) {
    const station = stationCode(first + stations.length);
    total += reportsOfLongStation(station);
    stations.push(station);
  }
  return stations;
}

function reportsOfLongStation(station: string): number {
  return reportsPerDay(station) * 365.25 * YEARS.length;
}

function copy(station: string, firstDay: Day, endDay: Day, hours = 24): Copy {
  const shift = Math.floor(stationNumber(station) / TEMPLATES.length) * SHIFT_DAYS;
  return { station, template: templateOf(station), shift, firstDay, endDay, hours };
}

/** The n-th of the stations with few days. 8 and 37 are coprime to 21 and 366: the days spread evenly over the years. */
function shortCopy(station: string, n: number, days: number): Copy {
  const length = Math.min(days, 360);
  const start = addDays(newYear(FIRST_YEAR + ((n * 8) % YEARS.length)), (n * 37) % (366 - length));
  return copy(station, start, addDays(start, length));
}

/** The first hour of ten days, which has one report. */
function tenHours(station: string, year: number): readonly Copy[] {
  return Array.from({ length: 10 }, (_, n) => {
    const day = addDays(newYear(year), 9 + n * 35);
    return copy(station, day, addDays(day, 1), 1);
  });
}

function newYear(year: number): Day {
  return `${year}-01-01` as Day;
}

/** XAAA, XAAB, … as the demo source numbers its stations. */
export function stationCode(number: number): string {
  const letter = (n: number) => String.fromCharCode(65 + (Math.floor(n) % 26));
  return `X${letter(number / 676)}${letter(number / 26)}${letter(number)}`;
}

export function stationCodes(first: number, end: number): readonly string[] {
  return Array.from({ length: Math.max(0, end - first) }, (_, n) => stationCode(first + n));
}

function stationNumber(code: string): number {
  return [...code.slice(1)].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 65, 0);
}

function templateOf(station: string): string {
  return TEMPLATES[stationNumber(station) % TEMPLATES.length] ?? '';
}

const perDay = new Map<string, number>();

/** Every station has the timetable of its template, which ten days show. */
function reportsPerDay(station: string): number {
  const template = templateOf(station);
  const known = perDay.get(template);
  if (known !== undefined) return known;
  const [firstDay, endDay] = ['2010-01-01' as Day, '2010-01-11' as Day];
  const { rows } = demo().generate({ source: 'demo', station: template, firstDay, endDay });
  perDay.set(template, rows.length / 10);
  return rows.length / 10;
}
