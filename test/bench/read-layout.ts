import { addDays, type Day } from '../../clickhouse/model/day.ts';
import { demo } from '../../loader/sources/demo/demo.ts';

/** Days `[firstDay, endDay)` of one station, taken from a template that stands for its weather. */
export type Piece = {
  readonly station: string;
  readonly template: string;
  /** How many days the template is ahead, so that no two stations report the same weather at once. */
  readonly shift: number;
  readonly firstDay: Day;
  readonly endDay: Day;
  /** Only reports of the first so many hours of each day. */
  readonly hours: number;
};

/** What is inserted at once, and so becomes one part: days `[firstDay, endDay)` of one year, of every station. */
export type Stretch = { readonly firstDay: Day; readonly endDay: Day };

export type Layout = {
  /** 21 years each, hourly, so that a query for one station asks the same of each. */
  readonly hourly: readonly string[];
  /** A thousand, among them `hourly`, from dense to long silent, as in a real archive. */
  readonly thousand: readonly string[];
  /** Fifty of them that all report in March 2024. */
  readonly fifty: readonly string[];
  readonly sparse: string;
  /** Of no source. */
  readonly unknown: string;
  readonly all: readonly string[];
  readonly pieces: readonly Piece[];
  readonly stretches: readonly Stretch[];
};

export const FIRST_YEAR = 2005;
/** Exclusive: 21 years that are over on any day this is run. */
export const END_YEAR = 2026;
export const YEARS = Array.from({ length: END_YEAR - FIRST_YEAR }, (_, n) => FIRST_YEAR + n);

/** Up to this size the thousand share the reports; what grows an archive beyond it are further stations of 21 years. */
const CORE_REPORTS = 10_000_000;
const CORE_STATIONS = 1000;
/** Share of the core's reports that its stations of 21 years make. */
const FULL_SHARE = 0.6;
const RECENT_YEAR = 2024;

/** A leap year of these is made by the demo source; every report of an archive is one of theirs, at another time and place. */
export const TEMPLATES = codes(0, 24);
/** A leap year. */
export const TEMPLATE_START = newYear(2024);
export const TEMPLATE_DAYS = 366;
/** Prime to the 366 days of a template: so many days apart, 366 stations can share one. */
const SHIFT_DAYS = 35;

/** Sorting a larger block costs more than twice as much a row, for it is no longer in the processor's cache. */
const REPORTS_AT_ONCE = 1_200_000;

/** Who reports when, in an archive of about so many reports: the same for the same number. */
export function layoutOf(reports: number): Layout {
  const core = Math.min(reports, CORE_REPORTS);
  const full = stationsFor(0, core * FULL_SHARE);
  const recent = codes(full.length, 50);
  const short = codes(50, CORE_STATIONS);
  const left = core - sum(full.map(fullReports)) - sum(recent.map(reportsPerDay)) * 366;
  const shortReports = Math.max(240, left / short.length);
  const further = reports > core ? stationsFor(CORE_STATIONS, reports - core) : [];
  const sparse = code(17_000);
  return {
    hourly: full.filter((station) => reportsPerDay(station) < 30),
    thousand: [...full, ...recent, ...short],
    fifty: [...full, ...recent].slice(0, 50),
    sparse,
    unknown: code(17_500),
    all: [...full, ...recent, ...short, ...further, sparse],
    pieces: [
      ...[...full, ...further].map((station) => piece(station, newYear(FIRST_YEAR), newYear(END_YEAR))),
      ...recent.map((station) => piece(station, newYear(RECENT_YEAR), newYear(RECENT_YEAR + 1))),
      ...short.map((station, n) => someDays(station, n, Math.ceil(shortReports / reportsPerDay(station)))),
      ...YEARS.flatMap((year) => tenDays(sparse, year)),
    ],
    stretches: YEARS.flatMap((year) => stretchesOf(year, reports / YEARS.length)),
  };
}

/** XAAA, XAAB, … as the demo source numbers them. */
function code(number: number): string {
  const letter = (n: number) => String.fromCharCode(65 + (Math.floor(n) % 26));
  return `X${letter(number / 676)}${letter(number / 26)}${letter(number)}`;
}

function numberOf(station: string): number {
  return [...station.slice(1)].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 65, 0);
}

function codes(from: number, to: number): readonly string[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, n) => code(from + n));
}

/** As many stations of 21 years as make so many reports, two at least. */
function stationsFor(first: number, reports: number): readonly string[] {
  const stations: string[] = [];
  for (let made = 0; made < reports || stations.length < 2; ) {
    const station = code(first + stations.length);
    made += fullReports(station);
    stations.push(station);
  }
  return stations;
}

function fullReports(station: string): number {
  return reportsPerDay(station) * 365.25 * YEARS.length;
}

const source = demo();
const perDay = new Map<string, number>();

/** Each station keeps to its template's timetable, so a few days tell. */
function reportsPerDay(station: string): number {
  const template = templateOf(station);
  const known = perDay.get(template);
  if (known !== undefined) return known;
  const [firstDay, endDay] = ['2010-01-01' as Day, '2010-01-11' as Day];
  const { rows } = source.generate({ source: 'demo', station: template, firstDay, endDay });
  perDay.set(template, rows.length / 10);
  return rows.length / 10;
}

function templateOf(station: string): string {
  return TEMPLATES[numberOf(station) % TEMPLATES.length] ?? '';
}

function piece(station: string, firstDay: Day, endDay: Day, hours = 24): Piece {
  const shift = Math.floor(numberOf(station) / TEMPLATES.length) * SHIFT_DAYS;
  return { station, template: templateOf(station), shift, firstDay, endDay, hours };
}

/** A stretch somewhere in the 21 years, spread evenly over them (7 and 37 are prime to what they meet). */
function someDays(station: string, n: number, days: number): Piece {
  const length = Math.min(days, 360);
  const start = addDays(newYear(FIRST_YEAR + ((n * 8) % YEARS.length)), (n * 37) % (366 - length));
  return piece(station, start, addDays(start, length));
}

function tenDays(station: string, year: number): readonly Piece[] {
  return Array.from({ length: 10 }, (_, n) => {
    const day = addDays(newYear(year), 9 + n * 35);
    return piece(station, day, addDays(day, 1), 1);
  });
}

/** A year in parts of about equal length, none of which holds too many reports. */
function stretchesOf(year: number, reports: number): readonly Stretch[] {
  const count = Math.ceil(reports / REPORTS_AT_ONCE);
  const edge = (n: number) =>
    n === count ? newYear(year + 1) : addDays(newYear(year), Math.round((n * 365) / count));
  return Array.from({ length: count }, (_, n) => ({ firstDay: edge(n), endDay: edge(n + 1) }));
}

function newYear(year: number): Day {
  return `${year}-01-01` as Day;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
