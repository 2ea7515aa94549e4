import type { ClickHouseClient } from '@clickhouse/client';
import { readArchived } from '../clickhouse/archived.ts';
import { type Day, dayStart, firstYoungDay } from '../clickhouse/day.ts';
import { insertRevisions } from '../clickhouse/insert.ts';
import { recordSlice } from '../clickhouse/ledger.ts';
import { listStations } from '../clickhouse/stations.ts';
import type { Line } from './fetch.ts';
import { reconcile } from './reconcile.ts';
import { revise } from './revise.ts';
import type { SkipCounts } from './skipped.ts';
import type { Origin, Slice } from './sources/origin.ts';
import { type Fetched, split } from './split.ts';
import { fetchWhole } from './whole.ts';

export type Loaded =
  | {
      readonly kind: 'loaded';
      readonly reports: number;
      readonly inserted: number;
      readonly skipped: SkipCounts;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * One slice through every room. Whatever happens on the way can be done again: rows go in first, then who reported
 * at which hour, and last the ledger, so that a loader killed at any moment leaves nothing claimed that is not there.
 * Decoding comes after reconciling, because only what the archive lacks is decoded.
 */
export async function load(
  client: ClickHouseClient,
  origin: Origin,
  slice: Slice,
  line: Line,
): Promise<Loaded> {
  const { signal } = line;
  const youngDay = firstYoungDay(new Date());
  const answer = await fetchWhole(origin, slice, line);
  if (answer.kind === 'failed') return answer;
  const { fetched, skipped } = split(answer.kind === 'absent' ? { sent: [], skipped: {} } : answer.value);

  const archived = await readArchived(client, { station: slice.station, ...yearsOf(slice, fetched) }, signal);
  const { changes, reports, inserted } = reconcile(slice.source, fetched, archived);
  await insertRevisions(client, changes.map(revise), signal);

  const seen = fetched.filter(({ nil }) => !nil);
  if (seen.length > 0) await listStations(client, [{ source: slice.source, station: slice.station }], signal);
  if (fetched.length > reports) skipped['same report again'] = fetched.length - reports;
  await recordSlice(
    client,
    { ...slice, doneDay: doneDay(slice, youngDay), reports, inserted, skipped },
    seen,
    signal,
  );
  return { kind: 'loaded', reports, inserted, skipped };
}

/** The calendar years that the slice and its reports touch: a report at midnight may stand in the next. */
function yearsOf(slice: Slice, fetched: readonly Fetched[]): { from: number; to: number } {
  let first = dayStart(slice.firstDay);
  let last = dayStart(slice.endDay) - 1;
  for (const { observedAt } of fetched) {
    if (observedAt < first) first = observedAt;
    if (observedAt > last) last = observedAt;
  }
  const year = (seconds: number, more: number) =>
    Date.UTC(new Date(seconds * 1000).getUTCFullYear() + more, 0) / 1000;
  return { from: year(first, 0), to: year(last, 1) };
}

/** What was asked less than 72 hours after its end is provisional (D13). */
function doneDay({ firstDay, endDay }: Slice, youngDay: Day): Day {
  if (youngDay <= firstDay) return firstDay;
  return youngDay < endDay ? youngDay : endDay;
}
