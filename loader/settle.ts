import type { ClickHouseClient } from '@clickhouse/client';
import { readArchived } from '../clickhouse/archived.ts';
import { readMinutes } from '../clickhouse/minutes.ts';
import { insertChanges } from './insert.ts';
import { type Change, reconcile } from './reconcile.ts';
import { Minutes, TYPED_SOURCES } from './type.ts';

type Stretch = { readonly from: number; readonly to: number };

/**
 * Settles the types of a calendar year that was loaded day by day over all stations: where a type given on the way
 * is not the one that the whole year gives, the station's year is typed again. So days and station-years, in any
 * order, end as the same archive. Nothing is written where all types stand.
 */
export async function settleYear(client: ClickHouseClient, year: number, signal: AbortSignal): Promise<void> {
  const stretch = { from: Date.UTC(year, 0) / 1000, to: Date.UTC(year + 1, 0) / 1000 };
  const stations = await unsettledStations(client, stretch, signal);
  await insertChanges(client, changesOf(client, stations, stretch, signal), signal);
}

async function* changesOf(
  client: ClickHouseClient,
  stations: ReadonlySet<string>,
  stretch: Stretch,
  signal: AbortSignal,
): AsyncGenerator<readonly Change[]> {
  for (const station of stations) {
    const archived = await readArchived(client, { station, ...stretch }, signal);
    // Nothing was sent, so it makes no difference by whom.
    yield reconcile('iem', [], archived, { kind: 'settled' }).changes;
  }
}

async function unsettledStations(
  client: ClickHouseClient,
  stretch: Stretch,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const minutes = new Minutes();
  const inferred: { readonly station: string; readonly at: number; readonly isMetar: boolean }[] = [];
  for await (const count of readMinutes(client, { ...stretch, typedSources: TYPED_SOURCES }, signal)) {
    const at = stretch.from + count.minute * 60;
    minutes.add({ station: count.station, observedAt: at }, count.reports);
    if (!count.sent) inferred.push({ station: count.station, at, isMetar: count.type === 'METAR' });
  }
  const isMetar = minutes.judge();
  return new Set(
    inferred
      .filter((count) => isMetar(count.station, count.at) !== count.isMetar)
      .map(({ station }) => station),
  );
}
