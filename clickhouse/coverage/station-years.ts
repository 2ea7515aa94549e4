import type { ClickHouseClient } from '@clickhouse/client';
import { type DayRange, dayRanges } from '../model/day-ranges.ts';
import type { Source } from '../model/report.ts';
import type { TimeWindow } from '../model/time-window.ts';
import { fromCurrentReports } from '../observations/current-reports.ts';
import { readSqlFile } from '../sql-file.ts';
import { type DoneDays, daysDue } from './rules.ts';
import { ALL_STATIONS, type Listing, readAllListings, readListings } from './station-listings.ts';

/** How one station's calendar year stands. */
export type StationYear = {
  readonly station: string;
  readonly year: number;
  /** Which sources carry the station: none may, and then no day of it is ever done (D13). */
  readonly listedBy: readonly Source[];
  /** Days that are old enough and in the period of record: how many, which are done, and which are not. */
  readonly daysDue: number;
  readonly done: readonly DayRange[];
  readonly daysOpen: number;
  readonly open: readonly DayRange[];
  /** Sources of which days are done, the one with most days first. */
  readonly loadedFrom: readonly Source[];
};

type HeldDays = DoneDays & { readonly source: Source; readonly station: string };

const HELD_YEARS = readSqlFile('coverage_of_year');
const YEARLY_REPORTS = readSqlFile('yearly_counts');

/** What the sources list of these stations; of all stations where none is named. */
export async function readListingsByStation(
  client: ClickHouseClient,
  stations: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Listing[]>> {
  const listings =
    stations.length === 0
      ? await readAllListings(client, signal)
      : await readListings(client, { stations }, signal);
  const byStation = new Map<string, Listing[]>(stations.map((station) => [station, []]));
  for (const listing of listings)
    byStation.set(listing.station, [...(byStation.get(listing.station) ?? []), listing]);
  return byStation;
}

/** How a calendar year stands of each of these stations, in their order: by the rules of coverage, day by day. */
export async function readStationYears(
  client: ClickHouseClient,
  year: number,
  range: TimeWindow,
  listed: ReadonlyMap<string, readonly Listing[]>,
  now: Date,
  signal: AbortSignal,
): Promise<readonly StationYear[]> {
  const held = await readHeld(client, year, listed, signal);
  const world = held.get(ALL_STATIONS) ?? [];
  return [...listed].map(([station, listings]) => {
    const listedBy = listings.map(({ source }) => source);
    const counted = [...(held.get(station) ?? []), ...world].filter(({ source }) =>
      listedBy.includes(source),
    );
    const { done, open } = daysDue(year, range, counted, listings, now);
    return {
      station,
      year,
      listedBy,
      daysDue: done.length + open.length,
      done: dayRanges(year, done),
      daysOpen: open.length,
      open: dayRanges(year, open),
      loadedFrom: bySize(counted),
    };
  });
}

async function readHeld(
  client: ClickHouseClient,
  year: number,
  listed: ReadonlyMap<string, readonly Listing[]>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly HeldDays[]>> {
  const stations = listed.size > MOST_NAMED ? [] : [...listed.keys()];
  const result = await client.query({
    query: HELD_YEARS,
    query_params: { year, stations },
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  const byStation = new Map<string, HeldDays[]>();
  for (const row of await result.json<HeldDays>()) {
    const rows = byStation.get(row.station);
    if (rows === undefined) byStation.set(row.station, [row]);
    else rows.push(row);
  }
  return byStation;
}

/** Beyond so many stations it is cheaper to ask for all than to name them. */
const MOST_NAMED = 500;

function bySize(held: readonly HeldDays[]): readonly Source[] {
  const size = ({ first, last, days }: HeldDays) => days.length || (first < 1 ? 0 : last - first + 1);
  const withDays = held.filter((each) => size(each) > 0).toSorted((a, b) => size(b) - size(a));
  return [...new Set(withDays.map(({ source }) => source))];
}

/** Reports that stand under a source's name: what was replaced or retracted is not counted, nor is NIL. */
export type YearlyReports = { readonly station: string; readonly source: Source; readonly reports: number };

/** Reports of a calendar year by station and source of their text; of all stations where none is named. */
export async function countReports(
  client: ClickHouseClient,
  year: number,
  stations: readonly string[],
  signal: AbortSignal,
): Promise<readonly YearlyReports[]> {
  const selection = { stations, from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
  const result = await client.query({
    query: fromCurrentReports(YEARLY_REPORTS, selection),
    query_params: selection,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  return result.json<YearlyReports>();
}
