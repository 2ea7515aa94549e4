import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { runsOfYear, unionOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { POINT_READ, selectRows } from '../statements/select.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import {
  type CoverageState,
  type CoverageStates,
  type DoneDays,
  provenDays,
  type ReportSpan,
} from './rules.ts';
import { type Listing, readListings } from './station-listings.ts';

const RUNS = readStatement('coverage/runs_of_days');
/** Of the column `reportDays`; also in `reporting_days`. */
export const REPORT_RUNS = fillSql(RUNS, { days: 'coverage.reportDays' });
const COVERAGE_OF_STATIONS = fillSql(readStatement('coverage/coverage_of_stations'), {
  doneRuns: fillSql(RUNS, { days: 'coverage.days' }),
  reportRuns: REPORT_RUNS,
});

/** @param stations ICAO codes, each with an entry in the result; `*` names the slices over all stations */
export async function readCoverageStates(
  archive: Archive,
  stations: readonly string[],
): Promise<CoverageStates> {
  const [rows, listings] = await Promise.all([
    selectRows<CoverageRow>(
      archive,
      { query: COVERAGE_OF_STATIONS, params: { stations }, settings: POINT_READ },
      // A thousand stations have twenty thousand rows; column names would be most of the text.
      'array',
    ),
    readListings(archive, { stations }),
  ]);
  const rowsOf = groupBy(rows, ([station]) => station);
  const listingsOf = groupBy(listings, ({ station }) => station);
  return new Map(
    stations.map((station) => [station, toState(rowsOf.get(station) ?? [], listingsOf.get(station) ?? [])]),
  );
}

type Runs = readonly (readonly [first: number, last: number])[];

type CoverageRow = readonly [
  station: string,
  source: Source,
  year: number,
  doneRuns: Runs,
  reportRuns: Runs,
  firstReport: number | null,
  lastReport: number | null,
  hours: number,
];

function toState(rows: readonly CoverageRow[], listings: readonly Listing[]): CoverageState {
  const done: DoneDays[] = [];
  const reports: ReportSpan[] = [];
  for (const [source, ofSource] of groupBy(rows, ([, source]) => source)) {
    const recorded = ofSource.flatMap(([, , year, runs]) => runsOfYear(year, runs));
    const days = provenDays(source, unionOf(recorded));
    if (days.length > 0) done.push({ source, days });
  }
  for (const [, source, , , , first, last, hours] of rows)
    if (first !== null && last !== null) reports.push({ source, first, last, hours });
  const reportDays = unionOf(rows.flatMap(([, , year, , runs]) => runsOfYear(year, runs)));
  return { done, reports, reportDays, listings };
}
