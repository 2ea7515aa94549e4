import { type Day, dayOf, dayStart, daysBetween } from '../../clickhouse/day.ts';
import { demo } from '../../loader/sources/demo.ts';

/** Days `[firstDay, endDay)` of one station within one year. */
export type Piece = {
  readonly station: string;
  readonly firstDay: Day;
  readonly endDay: Day;
  /** Only the first so many reports. */
  readonly atMost?: number;
};

/** What one worker makes and inserts at once: pieces of one year. */
export type Job = { readonly id: string; readonly pieces: readonly Piece[] };

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
  readonly jobs: readonly Job[];
};

export const FIRST_YEAR = 2005;
/** Exclusive: 21 years that are over on any day this is run. */
export const END_YEAR = 2026;
const YEARS = Array.from({ length: END_YEAR - FIRST_YEAR }, (_, n) => FIRST_YEAR + n);

/** Up to this size the thousand share the reports; what grows an archive beyond it are further stations of 21 years. */
const CORE_REPORTS = 10_000_000;
const CORE_STATIONS = 1000;
/** Share of the core's reports that its stations of 21 years make. */
const FULL_SHARE = 0.6;
const RECENT_YEAR = 2024;
const REPORTS_AT_ONCE = 150_000;

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
  const pieces = [
    ...[...full, ...further].flatMap((station) => YEARS.map((year) => wholeYear(station, year))),
    ...recent.map((station) => wholeYear(station, RECENT_YEAR)),
    ...short.map((station, n) => someDays(station, n, Math.ceil(shortReports / reportsPerDay(station)))),
    ...YEARS.flatMap((year) => tenDays(sparse, year)),
  ];
  return {
    hourly: full.filter((station) => reportsPerDay(station) < 30),
    thousand: [...full, ...recent, ...short],
    fifty: [...full, ...recent].slice(0, 50),
    sparse,
    unknown: code(17_500),
    all: [...full, ...recent, ...short, ...further, sparse],
    jobs: YEARS.flatMap((year) => jobsOf(year, pieces)),
  };
}

/** XAAA, XAAB, … as the demo source numbers them. */
function code(number: number): string {
  const letter = (n: number) => String.fromCharCode(65 + (Math.floor(n) % 26));
  return `X${letter(number / 676)}${letter(number / 26)}${letter(number)}`;
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

/** Each station keeps to its own timetable, so a few days tell. */
export function reportsPerDay(station: string): number {
  const known = perDay.get(station);
  if (known !== undefined) return known;
  const [firstDay, endDay] = ['2010-01-01' as Day, '2010-01-11' as Day];
  const { sent } = source.make({ source: 'demo', station, firstDay, endDay });
  perDay.set(station, sent.length / 10);
  return sent.length / 10;
}

function wholeYear(station: string, year: number): Piece {
  return { station, firstDay: `${year}-01-01` as Day, endDay: `${year + 1}-01-01` as Day };
}

/** A stretch somewhere in the 21 years, spread evenly over them (7 and 37 are prime to what they meet). */
function someDays(station: string, n: number, days: number): Piece {
  const length = Math.min(days, 360);
  const newYear = Date.UTC(FIRST_YEAR + ((n * 8) % YEARS.length), 0) / 1000;
  const start = newYear + ((n * 37) % (366 - length)) * 86_400;
  return { station, firstDay: dayOf(start), endDay: dayOf(start + length * 86_400) };
}

function tenDays(station: string, year: number): readonly Piece[] {
  return Array.from({ length: 10 }, (_, n) => {
    const start = Date.UTC(year, 0, 10 + n * 35) / 1000;
    return { station, firstDay: dayOf(start), endDay: dayOf(start + 86_400), atMost: 1 };
  });
}

function jobsOf(year: number, pieces: readonly Piece[]): readonly Job[] {
  const jobs: Job[] = [];
  let batch: Piece[] = [];
  let reports = 0;
  const close = () => {
    if (batch.length > 0) jobs.push({ id: `${year}-${jobs.length}`, pieces: batch });
    batch = [];
    reports = 0;
  };
  for (const piece of pieces) {
    if (new Date(dayStart(piece.firstDay) * 1000).getUTCFullYear() !== year) continue;
    batch.push(piece);
    reports += piece.atMost ?? reportsPerDay(piece.station) * daysBetween(piece.firstDay, piece.endDay);
    if (reports >= REPORTS_AT_ONCE) close();
  }
  close();
  return jobs;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
