import type { ClickHouseClient } from '@clickhouse/client';
import { dayOf, firstYoungDay } from './day.ts';
import type { PageRequest } from './page.ts';
import { readQuery } from './query.ts';
import { type Seconds, within } from './range.ts';

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

type Held = { station: string; yearsDone: number; hoursInside: number; hoursTouched: number };

const COVERAGE = readQuery('coverage');
const STATIONS_WITH_REPORTS = readQuery('stations_with_reports');
const HOUR = 3600;

/** How much of the requested stations and range the archive holds (D13–D17), in the order of the request. */
export async function readCoverage(
  client: ClickHouseClient,
  { stations, from, to }: Pick<PageRequest, 'stations' | 'from' | 'to'>,
  signal: AbortSignal,
): Promise<Coverage> {
  const yearsAll = new Date(to - 1).getUTCFullYear() - new Date(from).getUTCFullYear() + 1;
  const range = within({ from, to });
  const held = range === undefined ? [] : await readHeld(client, stations, range, signal);
  const undecided = held.filter(
    (row) => row.yearsDone === 0 && row.hoursInside === 0 && row.hoursTouched > 0,
  );
  const atEdges =
    range === undefined || undecided.length === 0
      ? new Set()
      : await stationsWithReports(client, undecided, range, signal);

  const byStation = new Map(held.map((row) => [row.station, row]));
  const covered = stations.map((station): StationCoverage => {
    const { yearsDone = 0, hoursInside = 0 } = byStation.get(station) ?? {};
    const holdsNothing = yearsDone === 0 && hoursInside === 0 && !atEdges.has(station);
    const status = yearsDone === yearsAll ? 'complete' : holdsNothing ? 'none' : 'partial';
    return { station, status, yearsDone, yearsAll };
  });
  return { status: overall(covered), stations: covered };
}

function overall(stations: readonly StationCoverage[]): CoverageStatus {
  if (stations.every(({ status }) => status === 'complete')) return 'complete';
  return stations.every(({ status }) => status === 'none') ? 'none' : 'partial';
}

async function readHeld(
  client: ClickHouseClient,
  stations: readonly string[],
  { from, to }: Seconds,
  signal: AbortSignal,
): Promise<readonly Held[]> {
  const result = await client.query({
    query: COVERAGE,
    query_params: {
      stations,
      from,
      to,
      firstDay: dayOf(from),
      lastDay: dayOf(to - 1),
      youngDay: firstYoungDay(new Date()),
    },
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    abort_signal: signal,
  });
  return result.json<Held>();
}

/**
 * The view knows hours, and a request may begin or end within one. Where nothing else tells `partial` from `none`,
 * the reports in those two hours are looked up themselves (D15).
 */
async function stationsWithReports(
  client: ClickHouseClient,
  undecided: readonly Held[],
  { from, to }: Seconds,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const result = await client.query({
    query: STATIONS_WITH_REPORTS,
    query_params: {
      stations: undecided.map(({ station }) => station),
      from,
      firstHourEnds: Math.min(to, Math.ceil(from / HOUR) * HOUR),
      lastHourStarts: Math.max(from, Math.floor(to / HOUR) * HOUR),
      to,
    },
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  return new Set((await result.json<{ station: string }>()).map(({ station }) => station));
}
