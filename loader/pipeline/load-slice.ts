import { recordSlices } from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS, readListings } from '../../clickhouse/coverage/station-listings.ts';
import { firstProvisionalDay } from '../../clickhouse/model/day.ts';
import type { Failure, FetchResult } from '../http/fetch-with-retry.ts';
import type { Slice } from '../sources/source.ts';
import { type FetchContext, fetchComplete } from './fetch-complete.ts';
import { type LoadedSlice, ledgerRows, splitAtIncompleteDays } from './ledger-rows.ts';
import type { LoadContext } from './load-context.ts';
import { type NormalizedReports, normalize } from './normalize.ts';
import { reclassifyConflicts } from './reclassify.ts';
import {
  type PendingWrite,
  reconcileAndWrite,
  updateCoverage,
  type WriteContext,
  type WriteResult,
} from './write.ts';

/**
 * Loads one slice through six stages:
 *
 *     fetch complete -> normalize -> reconcile -> write -> reclassify conflicts -> update coverage, ledger row last
 *
 * Every stage can be repeated. The ledger row comes last, so a loader killed at any moment has claimed no day whose
 * reports are not stored.
 */
export async function loadSlice(context: LoadContext, slice: Slice): Promise<LoadedSlice | Failure> {
  const provisionalFrom = firstProvisionalDay(context.now());
  const result = await (slice.station === ALL_STATIONS
    ? loadAllStations(context, slice)
    : loadStation(context, slice));
  if (result.kind === 'failed' || slice.window !== undefined) return result;
  if (result.reports === 0 && (await isUnlisted(context, slice))) return result;
  const rows = ledgerRows(slice, context.run, provisionalFrom, result);
  await recordSlices(context.client, rows, context.signal);
  return result;
}

/** A code that no source lists may be a typo. Its days are never done, so a ledger row would say nothing. */
async function isUnlisted({ client, signal }: LoadContext, { station }: Slice): Promise<boolean> {
  if (station === ALL_STATIONS) return false;
  return (await readListings(client, { stations: [station] }, signal)).length === 0;
}

/** Two sources must not reconcile one station at the same time, or both insert the reports that both have. */
async function loadStation(context: LoadContext, slice: Slice): Promise<LoadedSlice | Failure> {
  const fetched = await fetchReports(context, slice);
  if (fetched.kind === 'failed') return fetched;
  const written = await context.mutex.run(slice.station, async () =>
    finishWrite(context, await reconcileAndWrite(context, fetched.value, 'few stations')),
  );
  return { ...written, parts: splitAtIncompleteDays(slice, fetched.value) };
}

/**
 * A day of all stations has a quarter of a million reports, so one day at a time is in memory: the next is fetched once
 * the last row of this one is sent, while ClickHouse still stores it.
 */
async function loadAllStations(context: LoadContext, slice: Slice): Promise<LoadedSlice | Failure> {
  const write = await context.mutex.run(ALL_STATIONS, async () => {
    const fetched = await fetchReports(context, slice);
    return fetched.kind === 'failed' ? fetched : reconcileAndWrite(context, fetched.value, 'all stations');
  });
  return write.kind === 'failed' ? write : finishWrite(context, write);
}

/** When this returns, only the reports of the response are in memory. */
export async function fetchReports(
  context: FetchContext,
  slice: Slice,
): Promise<Exclude<FetchResult<NormalizedReports>, { kind: 'absent' }>> {
  const fetched = await fetchComplete(context, slice);
  if (fetched.kind === 'failed') return fetched;
  return {
    kind: 'ok',
    value: normalize(fetched.kind === 'absent' ? { rows: [], skipped: {} } : fetched.value),
  };
}

export async function finishWrite(context: WriteContext, write: PendingWrite): Promise<WriteResult> {
  await write.stored;
  await reclassifyConflicts(context, write.windows);
  await updateCoverage(context, write);
  const { reports, inserted, skipped, dailyCounts } = write;
  return { kind: 'loaded', reports, inserted, skipped, dailyCounts };
}
