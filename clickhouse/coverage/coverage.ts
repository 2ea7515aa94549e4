import type { Archive } from '../archive.ts';
import { calendarYears, clampToArchive, NO_TIME, type StationRange } from '../model/time-window.ts';
import { POINT_READ, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import {
  type CoverageStates,
  type CoverageStatus,
  countSilentDays,
  countYearsDone,
  daysOfWindow,
  daysToHold,
  NO_COVERAGE,
  reportsWithin,
  statusOf,
  yearsOldEnough,
} from './rules.ts';
import { ALL_STATIONS } from './station-listings.ts';

export type StationCoverage = {
  readonly station: string;
  readonly status: CoverageStatus;
  readonly yearsDone: number;
  readonly yearsAll: number;
  readonly silentDays: number;
};

export type Coverage = {
  readonly status: CoverageStatus;
  readonly silentDays: number;
  readonly stations: readonly StationCoverage[];
};

/** D13–D17, in the order of the request, as of these states; `now` decides which days are old enough. */
export async function readCoverage(
  archive: Archive,
  request: StationRange,
  states: CoverageStates,
  now = new Date(),
): Promise<Coverage> {
  const { stations } = request;
  // A range shorter than a second can be empty once its bounds are whole seconds.
  const yearsAll = Math.max(1, calendarYears(request).length);
  const range = clampToArchive(request) ?? NO_TIME;
  const world = states.get(ALL_STATIONS) ?? NO_COVERAGE;
  const asked = daysOfWindow(range);
  const years = yearsOldEnough(range, now);
  const held = stations.map((station) => {
    const state = states.get(station) ?? NO_COVERAGE;
    const toHold = daysToHold(asked, state.listings, state.done, world.done);
    const yearsDone = countYearsDone(years, toHold.open);
    // If no year is done, they decide between `none` and `partial`.
    const hasReports = yearsDone > 0 ? 'yes' : reportsWithin(range, state.reports);
    return { station, yearsDone, hasReports, silentDays: countSilentDays(toHold, state) };
  });
  const unknown = held.filter(({ hasReports }) => hasReports === 'unknown').map(({ station }) => station);
  const found = new Set(await readStationsWithReports(archive, { stations: unknown, ...range }));
  const covered = held.map(({ station, yearsDone, hasReports, silentDays }): StationCoverage => {
    const status = statusOf(yearsDone === yearsAll, hasReports === 'yes' || found.has(station));
    return { station, status, yearsDone, yearsAll, silentDays };
  });
  return coverageOf(covered);
}

export function coverageOf(stations: readonly StationCoverage[]): Coverage {
  const silentDays = stations.reduce((sum, each) => sum + each.silentDays, 0);
  const first = stations[0]?.status ?? 'complete';
  const status = stations.every((each) => each.status === first) ? first : 'partial';
  return { status, silentDays, stations };
}

export async function findStationsWithReports(
  archive: Archive,
  { stations, ...request }: StationRange,
  states: CoverageStates,
): Promise<ReadonlySet<string>> {
  const range = clampToArchive(request) ?? NO_TIME;
  const having = (answer: 'yes' | 'unknown') =>
    stations.filter((each) => reportsWithin(range, (states.get(each) ?? NO_COVERAGE).reports) === answer);
  const found = await readStationsWithReports(archive, { stations: having('unknown'), ...range });
  return new Set([...having('yes'), ...found]);
}

const STATIONS_WITH_REPORTS = readStatement('coverage/stations_with_reports');

/** Which stations have reports in a range within one year, by the reports themselves. */
export async function readStationsWithReports(
  archive: Archive,
  range: StationRange,
): Promise<readonly string[]> {
  if (range.stations.length === 0) return [];
  const select = { query: STATIONS_WITH_REPORTS, params: range, ofStations: true, settings: POINT_READ };
  const rows = await selectRows<{ station: string }>(archive, select);
  return rows.map(({ station }) => station);
}
