import { recordSlices, type SliceRecord } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS } from '../../../clickhouse/coverage/station-listings.ts';
import { groupBy, inGroups } from '../../../clickhouse/group-by.ts';
import type { DayRange } from '../../../clickhouse/model/day.ts';
import type { Scope } from '../../../clickhouse/model/time-window.ts';
import { readArchiveClock } from '../../clocks.ts';
import { fetchWithRetry } from '../../http/fetch-with-retry.ts';
import { FAILED_SLICE_ROUNDS, retryStorage } from '../../http/retry-policy.ts';
import { ledgerRows, provisionalDayAt, splitAtIncompleteDays } from '../../pipeline/ledger-rows.ts';
import { type LoadContext, loadSlice } from '../../pipeline/load-slice.ts';
import { readReports } from '../../pipeline/normalize.ts';
import { reclassifyYear } from '../../pipeline/reclassify.ts';
import { runPool } from '../../pipeline/workers.ts';
import { loadReports } from '../../pipeline/write.ts';
import { chunksOf, fetchStationMetadata, type Load, missingDaysOf, planSlices } from '../../plan/slices.ts';
import type { LoadProgress } from '../../progress/load-progress.ts';
import { gunzipped, tarEntries } from '../../sources/body.ts';
import {
  addSkips,
  type Body,
  InvalidResponseError,
  type RemoteSource,
  type SkipCounts,
  type Slice,
  UnreadableFileError,
  type YearArchives,
} from '../../sources/source.ts';

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

async function backfillSlices(context: LoadContext, command: Load, task: LoadTask): Promise<number> {
  const { progress, stop: stopRequested, described = new Set() } = task;
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

const SLICES_AT_ONCE = 500;
/** An archive takes an hour. */
const ATTEMPTS = 3;

/**
 * Loads the years of a command in which many stations lack days, each as one archive of all stations.
 *
 * @returns how many of them failed
 */
async function loadYearArchives(context: LoadContext, archives: YearArchives, command: Load, task: LoadTask) {
  const { progress, stop } = task;
  const reason = await retryStorage(() => fetchStationMetadata(context, [ALL_STATIONS]), context.signal);
  if (reason !== undefined) {
    progress.failed(`${context.source}: no reports can be requested: ${reason}`);
    return 1;
  }
  progress.expect(0);
  let failed = 0;
  for (const { firstDay, endDay } of chunksOf(context, command)) {
    if (stop.aborted) break;
    const stations = archives.stations();
    const lacking = command.refetch
      ? stations
      : [...(await missingDaysOf(context, { stations, firstDay, endDay })).keys()];
    if (lacking.length < archives.minStations) continue;
    const slice: Slice = { source: context.source, station: ALL_STATIONS, firstDay, endDay };
    const result = await progress.track(`all stations ${firstDay.slice(0, 4)}`, () =>
      loadYearArchive(context, archives, slice),
    );
    progress.expect(1);
    progress.done(slice, result);
    if (result.kind === 'failed') failed += 1;
  }
  return failed;
}

/** What the ledger records of a slice. */
type SliceCounts = Parameters<typeof ledgerRows>[3];

async function loadYearArchive(context: LoadContext, archives: YearArchives, slice: Slice) {
  const { sourceClient, archive, signal, run, now } = context;
  const request = archives.request(Number(slice.firstDay.slice(0, 4)));
  const askedAt = now();
  const load = (body: Body) => loadFiles(context, archives, slice, body);
  const result = await fetchWithRetry(sourceClient, request, load, ATTEMPTS);
  if (result.kind === 'absent') return { kind: 'failed', reason: 'the source has no archive' } as const;
  if (result.kind === 'failed') return result;
  const loaded = result.value;
  const provenAt = result.madeAt ?? (await retryStorage(() => readArchiveClock(archive, now), signal));
  const provisionalFrom = provisionalDayAt(askedAt, provenAt);
  const rows = archives.stations().flatMap((station): readonly SliceRecord[] => {
    const ofStation = loaded.has(station) ? loaded.get(station) : NO_FILE;
    return ofStation === undefined ? [] : ledgerRows({ ...slice, station }, run, provisionalFrom, ofStation);
  });
  for (const some of inGroups(rows, SLICES_AT_ONCE))
    await retryStorage(() => recordSlices(archive, some), signal);
  const files = [...loaded.values()].filter((each) => each !== undefined);
  return { kind: 'loaded', ...files.reduce(sumOfFiles, NO_FILE) } as const;
}

/** The counts for a station that the source lists but that has no file of the year. */
const NO_FILE: SliceCounts = { reports: 0, inserted: 0, skipped: {}, dailyCounts: new Map() };

async function loadFiles(context: LoadContext, archives: YearArchives, slice: Slice, body: Body) {
  /** Counts by station, which can have several files; `undefined` if one of its files is damaged. */
  const loaded = new Map<string, SliceCounts | undefined>();
  try {
    for await (const { name, content } of tarEntries(gunzipped(body))) {
      const station = archives.stationOf(name);
      if (station === undefined) continue;
      const isDamaged = loaded.has(station) && loaded.get(station) === undefined;
      const file = isDamaged ? undefined : await loadFile(context, { ...slice, station }, name, content);
      loaded.set(station, file && withReports(slice, loaded.get(station), file));
    }
  } catch (error) {
    throw error instanceof UnreadableFileError
      ? new InvalidResponseError(`a damaged archive: ${error.message}`)
      : error;
  }
  if (loaded.size === 0) throw new InvalidResponseError('an archive without station files');
  return loaded;
}

async function loadFile(context: LoadContext, slice: Slice, name: string, content: Body) {
  const { parse, maxRows } = context.adapter as RemoteSource;
  try {
    const parsed = await parse(content, slice, maxRows);
    if (parsed.isBroken === true) return undefined;
    const unreadable = parsed.unreadable && `${name}: ${parsed.unreadable}`;
    const settle = () => readReports(context, { ...parsed, unreadable });
    const reports = await retryStorage(settle, context.signal);
    const load = () => loadReports(context, reports, { scope: 'few stations', days: slice });
    return await retryStorage(() => context.mutex.run(slice.station, load), context.signal);
  } catch (error) {
    if (error instanceof InvalidResponseError) return undefined;
    throw error;
  }
}

/**
 * The counts of two files of a station. The second file was compared with the archive after the first had been stored, so its
 * counts by day include both; a file without reports was not compared.
 */
function withReports(days: DayRange, first: SliceCounts | undefined, second: SliceCounts): SliceCounts {
  if (first === undefined) return second;
  // A day that is incomplete in either file is incomplete.
  const incompleteDays = [first, second]
    .flatMap(({ parts = [] }) => parts.filter((part) => !part.isComplete))
    .map(({ firstDay }) => firstDay);
  const parts = splitAtIncompleteDays(days, { reports: [], skipped: {}, incompleteDays });
  const dailyCounts = second.reports > 0 ? second.dailyCounts : first.dailyCounts;
  return { ...sumOfFiles(first, second), parts, dailyCounts };
}

function sumOfFiles(one: SliceCounts, other: SliceCounts): SliceCounts {
  const skipped: SkipCounts = { ...one.skipped };
  addSkips(skipped, other.skipped);
  const [reports, inserted] = [one.reports + other.reports, one.inserted + other.inserted];
  return { ...other, reports, inserted, skipped, unreadable: one.unreadable ?? other.unreadable };
}
