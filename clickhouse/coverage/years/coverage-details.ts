import { setImmediate } from 'node:timers/promises';
import type { Archive } from '../../archive.ts';
import { NO_DAYS } from '../../model/day.ts';
import { clampToArchive, type StationRange } from '../../model/time-window.ts';
import { type CoverageStatus, readCoverage, type StationCoverage } from '../coverage.ts';
import { type PeriodOfRecord, periodOfRecord } from '../period-of-record.ts';
import { type CoverageStates, NO_COVERAGE } from '../state/state.ts';
import { ALL_STATIONS } from '../station-listings.ts';
import { type CoverageByYear, coverageByYear, requestedYears } from './coverage-by-year.ts';
import { readReportingDays } from './reporting-days.ts';
import { readYearReports } from './year-reports.ts';
import { readYearSources } from './year-sources.ts';

export type CoverageDetails = StationCoverage &
  CoverageByYear & { readonly periodOfRecord: PeriodOfRecord | undefined };

/** Reading the hours of 20,000 station-years took the engine over 3.5 s, fifteen times as long as everything else. */
const MAX_STATION_YEARS_OF_DAYS = 1000;

/** A thousand stations take 0.1 s: other requests run in between. */
const STATIONS_AT_ONCE = 100;

/**
 * The coverage of stations year by year and their gaps, by the rules and numbers of `meta.coverage` (D34), in the order
 * of the request. Its years are those from 2005 to the present one.
 *
 * @param all states of its stations and of all stations
 * @param format converts each station to what the caller needs
 */
export async function readCoverageDetails<Formatted>(
  client: Archive,
  request: StationRange,
  now: Date,
  all: CoverageStates,
  signal: AbortSignal,
  format: (details: CoverageDetails) => Formatted,
): Promise<{ readonly status: CoverageStatus; readonly stations: readonly Formatted[] }> {
  // All numbers come from one state, because loaders may write meanwhile.
  const coverage = await readCoverage(client, request, signal, all, now);
  const range = clampToArchive(request);
  const asked = range && requestedYears(range, all.get(ALL_STATIONS)?.done ?? [], now);
  const states = new Map(request.stations.map((station) => [station, all.get(station) ?? NO_COVERAGE]));
  const windows = asked?.windows ?? [];
  const [firstYear = 0, lastYear = 0] = [windows[0]?.year, windows.at(-1)?.year];
  const [reports, sources, reporting] = await Promise.all([
    readYearReports(client, states, windows, signal),
    readYearSources(client, states, windows, signal),
    request.stations.length * windows.length > MAX_STATION_YEARS_OF_DAYS
      ? undefined
      : readReportingDays(client, request.stations, { firstYear, lastYear }, signal),
  ]);
  const stations: Formatted[] = [];
  for (const covered of coverage.stations) {
    if (stations.length % STATIONS_AT_ONCE === STATIONS_AT_ONCE - 1)
      await setImmediate(undefined, { signal });
    const state = states.get(covered.station) ?? NO_COVERAGE;
    const ofStation = reports.get(covered.station) ?? new Map();
    const years = asked
      ? coverageByYear(
          asked,
          state,
          ofStation,
          sources.get(covered.station) ?? new Map(),
          reporting && (reporting.get(covered.station) ?? NO_DAYS),
        )
      : { years: [], gaps: NO_DAYS, notDue: NO_DAYS, silent: NO_DAYS };
    stations.push(format({ ...covered, ...years, periodOfRecord: periodOfRecord(state.listings) }));
  }
  return { status: coverage.status, stations };
}
