import type { Archive } from '../archive.ts';
import { calendarYears, clampToArchive, type StationRange, type TimeWindow } from '../model/time-window.ts';
import { readStationsWithReports } from './report-counts.ts';
import { countYearsDone, daysOfWindow, openDays, reportsWithin, yearsOldEnough } from './rules.ts';
import { type CoverageStates, NO_COVERAGE, readCoverageStates } from './state.ts';
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

/** What the archive holds of a station. If no year is done, `hasReports` decides between `none` and `partial`. */
type HeldYears = { readonly yearsDone: number; readonly hasReports: boolean };

/**
 * How much of the requested stations and range the archive holds (D13–D17), in the order of the request.
 *
 * @param known states of the stations and of all stations, as of which coverage is given; read if omitted
 * @param now decides which days are old enough
 */
export async function readCoverage(
  archive: Archive,
  request: StationRange,
  signal: AbortSignal,
  known?: CoverageStates,
  now = new Date(),
): Promise<Coverage> {
  const { stations } = request;
  const range = clampToArchive(request);
  const held = new Map<string, HeldYears>();
  if (range !== undefined) {
    const states = known ?? (await readCoverageStates(archive, [...stations, ALL_STATIONS], signal));
    const world = states.get(ALL_STATIONS) ?? NO_COVERAGE;
    const asked = daysOfWindow(range);
    const years = yearsOldEnough(range, now);
    const unknown: string[] = [];
    for (const station of stations) {
      const { listings, done, reports } = states.get(station) ?? NO_COVERAGE;
      const yearsDone = countYearsDone(years, openDays(asked, listings, done, world.done));
      const hasReports = yearsDone > 0 ? 'yes' : reportsWithin(range, reports);
      if (hasReports === 'unknown') unknown.push(station);
      held.set(station, { yearsDone, hasReports: hasReports === 'yes' });
    }
    for (const station of await readStationsWithReports(archive, { stations: unknown, ...range }, signal))
      held.set(station, { yearsDone: 0, hasReports: true });
  }
  const covered = stations.map((station) => stationCoverage(station, request, held.get(station)));
  return { status: overallStatus(covered), stations: covered };
}

function stationCoverage(
  station: string,
  request: TimeWindow,
  { yearsDone, hasReports }: HeldYears = { yearsDone: 0, hasReports: false },
): StationCoverage {
  // A range shorter than a second can be empty once its bounds are whole seconds.
  const yearsAll = Math.max(1, calendarYears(request).length);
  const status = yearsDone === yearsAll ? 'complete' : yearsDone > 0 || hasReports ? 'partial' : 'none';
  return { station, status, yearsDone, yearsAll };
}

function overallStatus(stations: readonly StationCoverage[]): CoverageStatus {
  if (stations.every(({ status }) => status === 'complete')) return 'complete';
  return stations.every(({ status }) => status === 'none') ? 'none' : 'partial';
}
