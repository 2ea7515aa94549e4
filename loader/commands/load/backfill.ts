import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { groupBy } from '../../../clickhouse/group-by.ts';
import type { DayRange } from '../../../clickhouse/model/day.ts';
import type { Scope } from '../../../clickhouse/model/time-window.ts';
import { FAILED_SLICE_ROUNDS, retryStorage } from '../../http/retry-policy.ts';
import { type LoadContext, loadSlice } from '../../pipeline/load-slice.ts';
import { reclassifyYear } from '../../pipeline/reclassify.ts';
import { runPool } from '../../pipeline/workers.ts';
import { chunksOf, fetchStationMetadata, type Load, planSlices } from '../../plan/slices.ts';
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
export async function backfill(context: LoadContext, command: Load, task: LoadTask): Promise<number> {
  const archives = context.adapter.yearArchives;
  if (archives === undefined || !command.stations.includes(ALL_STATIONS))
    return backfillSlices(context, command, task);
  const failed = await loadYearArchives(context, archives, command, task);
  if (failed > 0 || task.stop.aborted) return failed;
  const stations = archives.stations();
  const rest = { ...command, stations, refetch: false };
  return backfillSlices(context, rest, { ...task, described: new Set(stations) });
}

async function backfillSlices(
  context: LoadContext,
  command: Load,
  { progress, stop: stopRequested, described = new Set() }: LoadTask,
): Promise<number> {
  const { adapter, signal, source, sourceClient } = context;
  const workers = Math.max(MIN_WORKERS, adapter.rateLimit.parallel);
  const sourceUnavailable = new AbortController();
  const stop = AbortSignal.any([stopRequested, sourceUnavailable.signal]);
  let failed: Slice[] = [];

  /** First fetches the periods of record of the stations, because no request is needed outside them. */
  const plan = async (chunk: Scope) => {
    const slices = await planSlices(context, chunk, command);
    const unknown = [...new Set(slices.map(({ station }) => station))].filter((each) => !described.has(each));
    if (unknown.length === 0) return slices;
    const stations = adapter.stationList ? command.stations : unknown;
    const reason = await retryStorage(() => fetchStationMetadata(context, stations), signal);
    if (reason !== undefined) return { reason };
    for (const station of stations) described.add(station);
    return planSlices(context, chunk, command);
  };
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
    const slices = await progress.track('periods of record', () => plan(chunk));
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
