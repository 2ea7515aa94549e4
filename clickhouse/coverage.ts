import type { ClickHouseClient } from '@clickhouse/client';
import { yearOf } from './day.ts';
import { type HeldYear, isYearDone, recordOf, reportsWithin, yearsOldEnough } from './held.ts';
import type { PageRequest } from './page.ts';
import { POINT_READ } from './point-read.ts';
import { readQuery } from './query.ts';
import { type Seconds, within } from './range.ts';
import type { Source } from './report.ts';
import { type Listing, readListings } from './stations.ts';

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

const COVERAGE = readQuery('coverage');
const STATIONS_WITH_REPORTS = readQuery('stations_with_reports');

/** How much of the requested stations and range the archive holds (D13–D17), in the order of the request. */
export async function readCoverage(
  client: ClickHouseClient,
  { stations, from, to }: Pick<PageRequest, 'stations' | 'from' | 'to'>,
  signal: AbortSignal,
): Promise<Coverage> {
  const yearsAll = new Date(to - 1).getUTCFullYear() - new Date(from).getUTCFullYear() + 1;
  const range = within({ from, to });
  const known =
    range === undefined ? new Map<string, Known>() : await readKnown(client, stations, range, signal);
  const covered = stations.map((station): StationCoverage => {
    const { yearsDone, holdsReports } = known.get(station) ?? { yearsDone: 0, holdsReports: false };
    const status = yearsDone === yearsAll ? 'complete' : yearsDone > 0 || holdsReports ? 'partial' : 'none';
    return { station, status, yearsDone, yearsAll };
  });
  return { status: overall(covered), stations: covered };
}

function overall(stations: readonly StationCoverage[]): CoverageStatus {
  if (stations.every(({ status }) => status === 'complete')) return 'complete';
  return stations.every(({ status }) => status === 'none') ? 'none' : 'partial';
}

type Known = { readonly yearsDone: number; readonly holdsReports: boolean };

async function readKnown(
  client: ClickHouseClient,
  stations: readonly string[],
  range: Seconds,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Known>> {
  const [held, listings] = await Promise.all([
    readHeldYears(client, stations, range, signal),
    readListings(client, { stations }, signal),
  ]);
  const yearsDone = countYearsDone(held, listings, range);
  const undecided: string[] = [];
  const known = stations.map((station): [string, Known] => {
    const done = yearsDone.get(station) ?? 0;
    const reports = done > 0 ? 'yes' : reportsWithin(range, held.get(station) ?? []);
    if (reports === 'perhaps') undecided.push(station);
    return [station, { yearsDone: done, holdsReports: reports === 'yes' }];
  });
  const found = await stationsWithReports(client, undecided, range, signal);
  return new Map(
    known.map(([station, each]) => [station, found.has(station) ? { ...each, holdsReports: true } : each]),
  );
}

function countYearsDone(
  held: ReadonlyMap<string, readonly HeldYear[]>,
  listings: readonly Listing[],
  range: Seconds,
): ReadonlyMap<string, number> {
  const world = held.get('*') ?? [];
  const years = yearsOldEnough(range, new Date());
  const byStation = new Map<string, Listing[]>();
  for (const listing of listings) {
    const others = byStation.get(listing.station);
    if (others === undefined) byStation.set(listing.station, [listing]);
    else others.push(listing);
  }
  return new Map(
    [...byStation].map(([station, listed]) => {
      const sources = new Set(listed.map(({ source }) => source));
      const counted = [...(held.get(station) ?? []), ...world].filter(({ source }) => sources.has(source));
      const record = recordOf(listed);
      return [station, years.filter((year) => isYearDone(year, counted, record)).length];
    }),
  );
}

async function readHeldYears(
  client: ClickHouseClient,
  stations: readonly string[],
  range: Seconds,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly HeldYear[]>> {
  const result = await client.query({
    query: COVERAGE,
    query_params: {
      stations: [...stations, '*'],
      firstYear: yearOf(range.from),
      lastYear: yearOf(range.to - 1),
    },
    format: 'JSONCompactEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  const byStation = new Map<string, HeldYear[]>();
  for (const row of rowsOf(await result.text())) {
    const [station, source, year, first, last, days, firstReport, lastReport] = row;
    const held = { source, year, first, last, days, firstReport, lastReport };
    const years = byStation.get(station);
    if (years === undefined) byStation.set(station, [held]);
    else years.push(held);
  }
  return byStation;
}

/** The columns of coverage.sql. A thousand stations have twenty thousand rows: their names would be most of the text. */
type Row = [
  station: string,
  source: Source,
  year: number,
  first: number,
  last: number,
  days: number[],
  firstReport: number | null,
  lastReport: number | null,
];

/** Read as one array, which takes half as long as line by line. */
function rowsOf(text: string): Row[] {
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`) as Row[];
}

/** Where the view cannot tell, the reports themselves are asked: only for a range between two reports of one year. */
async function stationsWithReports(
  client: ClickHouseClient,
  stations: readonly string[],
  range: Seconds,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  if (stations.length === 0) return new Set();
  const result = await client.query({
    query: STATIONS_WITH_REPORTS,
    query_params: { stations, ...range },
    format: 'JSONEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  return new Set((await result.json<{ station: string }>()).map(({ station }) => station));
}
