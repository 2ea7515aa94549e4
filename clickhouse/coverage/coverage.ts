import type { Archive } from '../archive.ts';
import { clampToArchive, type StationRange, type TimeWindow } from '../model/time-window.ts';
import { POINT_READ, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import { countYearsDone, daysOfWindow, openDays, reportsWithin, yearsOldEnough } from './rules.ts';
import { type CoverageStates, NO_COVERAGE, readCoverageStates } from './state/state.ts';
import { ALL_STATIONS } from './station-listings.ts';

export type CoverageStatus = 'complete' | 'partial' | 'none';

export type StationCoverage = {
  readonly station: string;
  readonly status: CoverageStatus;
  /** Calendar years of the request whose requested days are all done. */
  readonly yearsDone: number;
  /** Calendar years that the request touches. */
  readonly yearsAll: number;
};

export type Coverage = { readonly status: CoverageStatus; readonly stations: readonly StationCoverage[] };

const STATIONS_WITH_REPORTS = readStatement('coverage/stations_with_reports');

/**
 * How much of the requested stations and range the archive holds (D13–D17), in the order of the request.
 *
 * @param known states of the stations and of all stations, as of which coverage is given; read if omitted
 * @param now decides which days are old enough
 */
export async function readCoverage(
  client: Archive,
  { stations, from, to }: StationRange,
  signal: AbortSignal,
  known?: CoverageStates,
  now = new Date(),
): Promise<Coverage> {
  // A range shorter than a second can be empty once its bounds are whole seconds.
  const yearsAll = Math.max(1, utcYear(to - 1) - utcYear(from) + 1);
  const range = clampToArchive({ from, to });
  const counts =
    range === undefined
      ? new Map<string, Counts>()
      : await countDone(client, stations, range, now, signal, known);
  const covered = stations.map((station): StationCoverage => {
    const { yearsDone, hasReports } = counts.get(station) ?? { yearsDone: 0, hasReports: false };
    const status = yearsDone === yearsAll ? 'complete' : yearsDone > 0 || hasReports ? 'partial' : 'none';
    return { station, status, yearsDone, yearsAll };
  });
  return { status: overall(covered), stations: covered };
}

/** For any time that a request can name; `yearOf` is for times in the archive. */
function utcYear(seconds: number): number {
  return new Date(seconds * 1000).getUTCFullYear();
}

function overall(stations: readonly StationCoverage[]): CoverageStatus {
  if (stations.every(({ status }) => status === 'complete')) return 'complete';
  return stations.every(({ status }) => status === 'none') ? 'none' : 'partial';
}

/** If no year is done, `hasReports` decides between `none` and `partial`. */
type Counts = { readonly yearsDone: number; readonly hasReports: boolean };

async function countDone(
  client: Archive,
  stations: readonly string[],
  range: TimeWindow,
  now: Date,
  signal: AbortSignal,
  known: CoverageStates | undefined,
): Promise<ReadonlyMap<string, Counts>> {
  const states = known ?? (await readCoverageStates(client, [...stations, ALL_STATIONS], signal));
  const world = states.get(ALL_STATIONS) ?? NO_COVERAGE;
  const asked = daysOfWindow(range);
  const years = yearsOldEnough(range, now);
  const unknown: string[] = [];
  const counts = new Map<string, Counts>();
  for (const station of stations) {
    const { listings, done, reports } = states.get(station) ?? NO_COVERAGE;
    const yearsDone = countYearsDone(years, openDays(asked, listings, done, world.done));
    const hasReports = yearsDone > 0 ? 'yes' : reportsWithin(range, reports);
    if (hasReports === 'unknown') unknown.push(station);
    counts.set(station, { yearsDone, hasReports: hasReports === 'yes' });
  }
  for (const station of await stationsWithReports(client, unknown, range, signal))
    counts.set(station, { yearsDone: 0, hasReports: true });
  return counts;
}

/** Reads the reports themselves, needed only for a range between two reports of one year. */
export async function stationsWithReports(
  client: Archive,
  stations: readonly string[],
  range: TimeWindow,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (stations.length === 0) return [];
  const rows = await selectRows<{ station: string }>(
    client,
    { query: STATIONS_WITH_REPORTS, params: { stations, ...range }, ofStations: true, settings: POINT_READ },
    signal,
  );
  return rows.map(({ station }) => station);
}
