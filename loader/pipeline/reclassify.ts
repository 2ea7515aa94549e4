import type { ClickHouseClient } from '@clickhouse/client';
import { readMinuteHistogram } from '../../clickhouse/observations/minute-histogram.ts';
import { readStoredReports, type StationWindow } from '../../clickhouse/observations/stored-reports.ts';
import { insertChanges } from './insert-changes.ts';
import { reconcile } from './reconcile.ts';
import { MinuteHistogram, TYPED_SOURCES } from './report-type.ts';
import { retryStorage } from './worker-pool.ts';

type Range = Omit<StationWindow, 'station'>;

/**
 * Settles the types of a calendar year that was loaded day by day over all stations: where a type given on the way
 * is not the one that the whole year gives, the station's year is typed again. So days and station-years, in any
 * order, end as the same archive. Nothing is written where all types stand.
 */
export async function reclassifyYear(
  client: ClickHouseClient,
  year: number,
  signal: AbortSignal,
): Promise<void> {
  await retryStorage(() => settle(client, year, signal), signal);
}

async function settle(client: ClickHouseClient, year: number, signal: AbortSignal): Promise<void> {
  const stretch = { from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
  const stations = await unsettledStations(client, stretch, signal);
  // One insert a station: a type and its retraction land together or not at all.
  for (const station of stations) await reclassifyStation(client, { station, ...stretch }, signal);
}

/**
 * Types what the archive holds of a station's calendar years by all of it, and retracts what stands under two types.
 */
export async function reclassifyStation(
  client: ClickHouseClient,
  stretch: StationWindow,
  signal: AbortSignal,
): Promise<void> {
  const archived = await readStoredReports(client, stretch, signal);
  // Nothing was sent, so it makes no difference by whom.
  await insertChanges(client, [reconcile('iem', [], archived, { kind: 'settled' }).changes], signal);
}

async function unsettledStations(
  client: ClickHouseClient,
  stretch: Range,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const minutes = new MinuteHistogram();
  const inferred: { readonly station: string; readonly at: number; readonly isMetar: boolean }[] = [];
  for await (const count of readMinuteHistogram(
    client,
    { ...stretch, typedSources: TYPED_SOURCES },
    signal,
  )) {
    const at = stretch.from + count.minute * 60;
    minutes.add({ station: count.station, observedAt: at }, count.reports);
    if (!count.typeSent) inferred.push({ station: count.station, at, isMetar: count.type === 'METAR' });
  }
  const isMetar = minutes.judge();
  return new Set(
    inferred
      .filter((count) => isMetar(count.station, count.at) !== count.isMetar)
      .map(({ station }) => station),
  );
}
