import type { Archive } from '../archive.ts';
import { dayNumber, unionOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { POINT_READ, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import type { DoneDays, ReportSpan } from './rules.ts';
import { type Listing, readListings } from './station-listings.ts';

/** What decides coverage: one station, all years. */
export type CoverageState = {
  readonly done: readonly DoneDays[];
  readonly reports: readonly ReportSpan[];
  readonly listings: readonly Listing[];
};

/** By station. */
export type CoverageStates = ReadonlyMap<string, CoverageState>;

export const NO_COVERAGE: CoverageState = { done: [], reports: [], listings: [] };

const COVERAGE = readStatement('coverage/coverage_of_stations');

/**
 * Reads the coverage view and the listings by two concurrent statements.
 *
 * @param stations ICAO codes; `*` names the slices over all stations
 * @returns an entry for each of them
 */
export async function readCoverageStates(
  archive: Archive,
  stations: readonly string[],
): Promise<CoverageStates> {
  const [rows, listings] = await Promise.all([
    selectRows<Row>(
      archive,
      { query: COVERAGE, params: { stations }, settings: POINT_READ },
      // A thousand stations have twenty thousand rows; column names would be most of the text.
      'array',
    ),
    readListings(archive, { stations }),
  ]);
  const states = new Map(stations.map((station) => [station, newState()]));
  for (const row of rows) addYear(states.get(row[0]) ?? newState(), row);
  for (const listing of listings) states.get(listing.station)?.listings.push(listing);
  return new Map([...states].map(([station, state]) => [station, finish(state)]));
}

/** The columns of `coverage_of_stations`. */
type Row = readonly [
  station: string,
  source: Source,
  year: number,
  doneRuns: readonly (readonly [first: number, last: number])[],
  firstReport: number | null,
  lastReport: number | null,
  hours: number,
];

type Collected = {
  readonly runs: Map<Source, { first: number; end: number }[]>;
  readonly reports: ReportSpan[];
  readonly listings: Listing[];
};

function newState(): Collected {
  return { runs: new Map(), reports: [], listings: [] };
}

function addYear(
  { runs, reports }: Collected,
  [, source, year, doneRuns, firstReport, lastReport, hours]: Row,
): void {
  let ofSource = runs.get(source);
  if (ofSource === undefined) {
    ofSource = [];
    runs.set(source, ofSource);
  }
  const beforeYear = dayNumber(Date.UTC(year, 0) / 1000) - 1;
  for (const [first, last] of doneRuns) {
    const previous = ofSource.at(-1);
    // Years come in order, so most continue the previous year's run.
    if (previous?.end === beforeYear + first) previous.end = beforeYear + last + 1;
    else ofSource.push({ first: beforeYear + first, end: beforeYear + last + 1 });
  }
  if (firstReport !== null && lastReport !== null)
    reports.push({ source, first: firstReport, last: lastReport, hours });
}

function finish({ runs, reports, listings }: Collected): CoverageState {
  const done: DoneDays[] = [];
  for (const [source, days] of runs) if (days.length > 0) done.push({ source, days: unionOf(days) });
  return { done, reports, listings };
}
