import type { ClickHouseClient } from '@clickhouse/client';
import { clampToArchive, type TimeWindow } from '../model/time-window.ts';
import type { PageRequest } from '../observations/page.ts';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';
import { type CoverageYear, isYearDone, periodOfRecord, reportsWithin, yearsOldEnough } from './rules.ts';
import { type CoverageState, type CoverageStateReader, coverageStateReader } from './state.ts';
import { ALL_STATIONS, type Listing } from './station-listings.ts';

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

const NOTHING: CoverageState = { held: [], listings: [] };
const STATIONS_WITH_REPORTS = readSqlFile('stations_with_reports');

/**
 * How much of the requested stations and range the archive holds (D13–D17), in the order of the request.
 *
 * @param readKnown what it is judged by; read for this request alone unless one is given that keeps it
 */
export async function readCoverage(
  client: ClickHouseClient,
  { stations, from, to }: Pick<PageRequest, 'stations' | 'from' | 'to'>,
  signal: AbortSignal,
  readKnown: CoverageStateReader = coverageStateReader(client),
): Promise<Coverage> {
  const yearsAll = new Date(to - 1).getUTCFullYear() - new Date(from).getUTCFullYear() + 1;
  const range = clampToArchive({ from, to });
  const judged =
    range === undefined
      ? new Map<string, Judged>()
      : await judge(client, stations, range, signal, await readKnown([...stations, ALL_STATIONS], signal));
  const covered = stations.map((station): StationCoverage => {
    const { yearsDone, holdsReports } = judged.get(station) ?? { yearsDone: 0, holdsReports: false };
    const status = yearsDone === yearsAll ? 'complete' : yearsDone > 0 || holdsReports ? 'partial' : 'none';
    return { station, status, yearsDone, yearsAll };
  });
  return { status: overall(covered), stations: covered };
}

function overall(stations: readonly StationCoverage[]): CoverageStatus {
  if (stations.every(({ status }) => status === 'complete')) return 'complete';
  return stations.every(({ status }) => status === 'none') ? 'none' : 'partial';
}

type Judged = { readonly yearsDone: number; readonly holdsReports: boolean };

async function judge(
  client: ClickHouseClient,
  stations: readonly string[],
  range: TimeWindow,
  signal: AbortSignal,
  known: ReadonlyMap<string, CoverageState>,
): Promise<ReadonlyMap<string, Judged>> {
  const world = known.get(ALL_STATIONS)?.held ?? [];
  const years = yearsOldEnough(range, new Date());
  const undecided: string[] = [];
  const judged = new Map<string, Judged>();
  for (const station of stations) {
    const { held, listings } = known.get(station) ?? NOTHING;
    const yearsDone = countYearsDone(years, [...held, ...world], listings);
    const reports = yearsDone > 0 ? 'yes' : reportsWithin(range, held);
    if (reports === 'perhaps') undecided.push(station);
    judged.set(station, { yearsDone, holdsReports: reports === 'yes' });
  }
  for (const station of await stationsWithReports(client, undecided, range, signal))
    judged.set(station, { yearsDone: 0, holdsReports: true });
  return judged;
}

/** What a source has loaded counts for the stations that it lists, and for no other code. */
function countYearsDone(
  years: ReturnType<typeof yearsOldEnough>,
  held: readonly CoverageYear[],
  listings: readonly Listing[],
): number {
  if (listings.length === 0) return 0;
  const counted = held.filter(({ source }) => listings.some((listing) => listing.source === source));
  const record = periodOfRecord(listings);
  return years.filter((year) => isYearDone(year, counted, record)).length;
}

/** Where the view cannot tell, the reports themselves are asked: only for a range between two reports of one year. */
async function stationsWithReports(
  client: ClickHouseClient,
  stations: readonly string[],
  range: TimeWindow,
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
