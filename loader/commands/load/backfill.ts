import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../../clickhouse/group-by.ts';
import type { DayRange } from '../../../clickhouse/model/day.ts';
import type { Scope } from '../../../clickhouse/model/time-window.ts';
import type { Failure } from '../../http/fetch-with-retry.ts';
import { FAILED_SLICE_ROUNDS, retryStorage } from '../../http/retry-policy.ts';
import { type LoadContext, loadSlice } from '../../pipeline/load-slice.ts';
import { reclassifyYear } from '../../pipeline/reclassify.ts';
import { runPool } from '../../pipeline/workers.ts';
import { chunksOf, fetchStationMetadata, type LoadCommand, planSlices } from '../../plan/slices.ts';
import type { LoadProgress } from '../../progress/load-progress.ts';
import type { Slice } from '../../sources/source.ts';
import { loadYearArchives } from './year-archives.ts';

/** While one slice is fetched, another is decoded and sent, and ClickHouse stores a third in its second table. */
const MIN_WORKERS = 3;

export type LoadTask = {
  readonly progress: LoadProgress;
  readonly stop: AbortSignal;
  /** Stations whose periods of record need not be fetched. */
  readonly described?: Set<string>;
};

/**
 * Loads what a command lacks from one source. Each run plans from the ledger, so a stopped run is resumed by the next.
 *
 * @returns how many slices failed, or were not requested because the source was unavailable
 */
export async function backfill(
  context: LoadContext,
  command: LoadCommand,
  { progress, stop, described = new Set<string>() }: LoadTask,
): Promise<number> {
  const archives = context.adapter.yearArchives;
  if (archives === undefined || !command.stations.includes(ALL_STATIONS))
    return backfillSlices(context, command, { progress, stop, described });
  const failed = await loadYearArchives(context, archives, command, { progress, stop });
  if (failed > 0 || stop.aborted) return failed;
  for (const station of archives.stations()) described.add(station);
  const rest = { ...command, stations: archives.stations(), refetch: false };
  return backfillSlices(context, rest, { progress, stop, described });
}

async function backfillSlices(
  context: LoadContext,
  command: LoadCommand,
  { progress, stop: stopRequested, described }: Required<LoadTask>,
): Promise<number> {
  const { adapter, signal, source, sourceClient } = context;
  const workers = Math.max(MIN_WORKERS, adapter.rateLimit.parallel);
  const sourceUnavailable = new AbortController();
  const stop = AbortSignal.any([stopRequested, sourceUnavailable.signal]);
  let failed: Slice[] = [];

  const load = async (slice: Slice) => {
    const { station, firstDay } = slice;
    const activity = `${station === ALL_STATIONS ? 'all stations' : station} ${firstDay}`;
    const result = await progress.track(activity, () =>
      retryStorage(() => loadSlice(context, slice), signal, sourceClient.timer),
    );
    progress.done(slice, result);
    if (result.kind === 'failed' && !result.isRejected) failed.push(slice);
    if (sourceClient.outage.isExhausted) sourceUnavailable.abort();
  };
  const loadAll = async (slices: readonly Slice[], years: Iterable<number>) => {
    await runPool(inSequences(slices), workers, stop, async (sequence) => {
      for (const slice of sequence) if (!stop.aborted) await load(slice);
    });
    for (const year of years)
      if (!stop.aborted)
        await progress.track(`report types of ${year}`, () => reclassifyYear(context, year, signal));
  };

  const chunks = [...chunksOf(context, command)];
  const estimates: number[] = [];
  for (const chunk of chunks) estimates.push((await planSlices(context, chunk, command)).length);
  progress.expect(estimates.reduce((sum, slices) => sum + slices, 0));

  for (const [at, chunk] of chunks.entries()) {
    if (stop.aborted) break;
    const slices = await progress.track('periods of record', () =>
      planWithMetadata(context, command, chunk, described),
    );
    if ('reason' in slices) {
      progress.failed(`${source}: no reports can be requested: ${slices.reason}`);
      sourceUnavailable.abort();
      break;
    }
    progress.expect(slices.length - (estimates[at] ?? 0));
    // Even without slices: a stopped run may have left provisional types.
    await loadAll(slices, yearsOfAllStations(chunk.stations, [chunk]));
    await retryStorage(() => context.writer.refreshDays(signal), signal);
  }
  for (let round = 1; round <= FAILED_SLICE_ROUNDS && failed.length > 0 && !stop.aborted; round += 1) {
    const slices = failed;
    failed = [];
    progress.retryFailed(slices.length);
    await loadAll(slices, yearsOfAllStations(command.stations, slices));
  }

  const { tally } = progress;
  const notRequested = stopRequested.aborted ? 0 : tally.slices - tally.slicesDone - tally.slicesFailed;
  return tally.slicesFailed + notRequested;
}

/** First fetches the periods of record of the stations, because no request is needed outside them. */
async function planWithMetadata(
  context: LoadContext,
  command: LoadCommand,
  chunk: Scope,
  described: Set<string>,
): Promise<readonly Slice[] | Failure> {
  const { adapter, signal } = context;
  const slices = await planSlices(context, chunk, command);
  const unknown = new Set(slices.map(({ station }) => station).filter((station) => !described.has(station)));
  if (unknown.size === 0) return slices;
  const stations = adapter.stationList ? command.stations : [...unknown];
  const reason = await retryStorage(() => fetchStationMetadata(context, stations), signal);
  if (reason !== undefined) return { kind: 'failed', reason };
  for (const station of stations) described.add(station);
  return planSlices(context, chunk, command);
}

/**
 * Slices that are loaded one after another: those of one station and year, because each makes the types of the year
 * final. Days of all stations do not wait for each other, because `reclassifyYear` comes after them.
 */
function inSequences(slices: readonly Slice[]): Iterable<readonly Slice[]> {
  return groupBy(slices, ({ station, firstDay }) =>
    station === ALL_STATIONS ? firstDay : `${station} ${firstDay.slice(0, 4)}`,
  ).values();
}

/** The years whose types are provisional after a load of all stations. */
function yearsOfAllStations(stations: readonly string[], ranges: readonly DayRange[]): Iterable<number> {
  if (!stations.includes(ALL_STATIONS)) return [];
  return new Set(ranges.map(({ firstDay }) => Number(firstDay.slice(0, 4))));
}
