import { randomBytes } from 'node:crypto';
import type { Archive } from '../../archive.ts';
import { groupBy } from '../../group-by.ts';
import { type Day, type DayRange, yearOf } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { yearWindow } from '../../model/time-window.ts';
import { selectRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';

/**
 * What a loader has received completely: the days `[firstDay, endDay)`, done up to `doneDay` and provisional from there
 * on (D13).
 */
export type SliceRecord = {
  readonly source: Source;
  /** ICAO code, or `*` for every station that the source lists. */
  readonly station: string;
  readonly firstDay: Day;
  readonly doneDay: Day;
  readonly endDay: Day;
  /** Distinct reports that the source has for the slice. */
  readonly reports: number;
  /** How many of them the archive lacked, or had in a lower version. */
  readonly inserted: number;
  /** Rows of the source that are not reports, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** See `newRun`. */
  readonly run: string;
  /**
   * Distinct reports that the archive holds after the load for each day from `firstDay` on, from any source, including
   * NIL. Empty if no day is done.
   */
  readonly reportsByDay: readonly number[];
};

/** The ID of a loader run; IDs sort by start time. */
export function newRun(now = new Date()): string {
  return `${now.toISOString()}-${randomBytes(4).toString('hex')}`;
}

export type ObservedHour = { readonly station: string; readonly observedAt: number };

/** Call this last, once the reports of the slices are in the archive and their hours recorded. */
export async function recordSlices(archive: Archive, records: readonly SliceRecord[]) {
  if (records.length > 0) await archive.insert({ table: 'slices', rows: records });
}

/**
 * Adds the hours of reports to the coverage view.
 *
 * @param observed reports that the archive may already have had, except NIL reports, which do not count; the view
 *   itself sees those inserted now
 */
export async function recordObservedHours(
  archive: Archive,
  source: Source,
  observed: Iterable<ObservedHour>,
): Promise<void> {
  const values = hoursByYear(source, observed);
  if (values.length > 0) await archive.insert({ table: 'sightings', rows: values });
}

/** Makes stations known that may have only NIL reports, by rows of the coverage view without days and hours. */
export async function recordNilStations(
  archive: Archive,
  source: Source,
  reports: Iterable<ObservedHour>,
): Promise<void> {
  const rows = hoursByYear(source, reports).map(({ station, year }) => ({ station, year, source }));
  if (rows.length > 0) await archive.insert({ table: 'coverage', rows });
}

function hoursByYear(source: Source, observed: Iterable<ObservedHour>) {
  const stationYears = groupBy(observed, ({ station, observedAt }) => `${station} ${yearOf(observedAt)}`);
  return [...stationYears.values()].map((reports) => {
    const times = reports.map(({ observedAt }) => observedAt).sort((a, b) => a - b);
    const [firstReport, lastReport] = [times[0] as number, times.at(-1) as number];
    const year = yearOf(firstReport);
    const start = Date.UTC(year, 0) / 1000;
    const hours = [...new Set(times.map((time) => Math.floor((time - start) / 3600)))];
    return { source, station: reports[0]?.station, year, hours, firstReport, lastReport };
  });
}

const REPORT_HOURS = readStatement('ledger/rebuild_report_hours');

/**
 * Adds the hours of all reports of a calendar year to the coverage view, and the stations with only NIL reports.
 *
 * @param reports `'NIL'` if the view has counted the hours: only the stations are added
 */
export async function rebuildReportHours(
  archive: Archive,
  year: number,
  reports: 'all' | 'NIL' = 'all',
): Promise<void> {
  const params = { ...yearWindow(year), nilOnly: reports === 'NIL' };
  await archive.command({ query: REPORT_HOURS, params });
}

const LOAD_COSTS = readStatement('ledger/load_costs');
const LAST_LOADS = readStatement('ledger/last_loads');

/** What a run of the loader did with one source. */
export type LoadRecord = DayRange & {
  readonly source: Source;
  /** ICAO codes, or `*` alone; empty for a cycle of `follow`, whose days are in the ledger. */
  readonly stations: readonly string[];
  readonly slices: number;
  /** Days of these slices; 0 if they were not whole days. */
  readonly stationDays: number;
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly inserted: number;
  /** Why the first failed slice failed; empty if none did. */
  readonly failure: string;
};

export async function recordLoad(archive: Archive, load: LoadRecord, now: Date) {
  const endedAt = Math.floor(now.getTime() / 1000);
  await archive.insert({ table: 'loads', rows: [{ ...load, endedAt }] });
}

export type LoadCosts = {
  readonly bytesPerDay: number;
  readonly requestsPerSlice: number;
  readonly secondsPerSlice: number;
};

/** Cost of the last loads of a source, of all stations or of single ones; `undefined` if there were none. */
export async function readLoadCosts(
  archive: Archive,
  source: Source,
  allStations: boolean,
): Promise<LoadCosts | undefined> {
  const params = { source, allStations };
  const [costs] = await selectRows<LoadCosts>(archive, { query: LOAD_COSTS, params });
  return costs;
}

/** Seconds since 1970-01-01T00:00:00Z; 0 if there was no such load. */
export type LastLoad = {
  readonly source: Source;
  readonly loadedAt: number;
  /** New reports of the last load. */
  readonly inserted: number;
  readonly failedAt: number;
  readonly failure: string;
};

export async function readLastLoads(archive: Archive): Promise<readonly LastLoad[]> {
  return selectRows<LastLoad>(archive, { query: LAST_LOADS });
}
