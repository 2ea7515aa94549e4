import { recordLoad } from '../../clickhouse/coverage/ledger/ledger.ts';
import { readNewestReport } from '../../clickhouse/coverage/report-counts.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { addDays, dayOf, SECONDS_PER_HOUR, yearOf } from '../../clickhouse/model/day.ts';
import type { TimeWindow } from '../../clickhouse/model/time-window.ts';
import { backfill } from '../commands/load/backfill.ts';
import { checkSourceClock } from '../http/fetch-once.ts';
import type { FetchEvents } from '../http/fetch-with-retry.ts';
import { retryStorage } from '../http/retry-policy.ts';
import { type LoadContext, loadSlice } from '../pipeline/load-slice.ts';
import { addStoredMinutes, reclassifyYear } from '../pipeline/reclassify.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import { countStationDays, fetchStationMetadata, readRemainingDaysOf } from '../plan/slices.ts';
import type { LogLine } from '../progress/display.ts';
import { type LoadProgress, loadProgress, type Tally } from '../progress/load-progress.ts';
import type { SourceName } from '../sources/registry.ts';
import type { Slice } from '../sources/source.ts';
import { type DueWork, dueWork, type FollowCommand, firstDayOf } from './due-work.ts';

export type CycleResult = {
  readonly tally: Tally;
  readonly seconds: number;
  readonly isComplete: boolean;
  readonly daysNotDone: number;
  /** The newest report of the archive, in seconds since 1970-01-01T00:00:00Z. */
  readonly newestReport: number | undefined;
};

type Cycle = {
  readonly context: LoadContext;
  readonly progress: LoadProgress;
  readonly deadline: AbortSignal;
};

/** A day has five things to do: a day that is old enough, three younger ones, and the periods of record. */
const SECONDS_PER_THING = 4 * SECONDS_PER_HOUR;

/**
 * Loads the newest reports of a source, then whatever else is due: anything not begun in time is left for the next cycle.
 *
 * @param createContext creates one per cycle: a separate run with no memory
 * @returns runs a cycle; throws a `ClockError` if the source has another time than this machine
 */
export function sourceFollower(
  command: FollowCommand,
  source: SourceName,
  log: LogLine,
  createContext: (events: FetchEvents) => LoadContext,
): (msLeft: () => number) => Promise<CycleResult> {
  const due = dueWork(command, source);
  /** Stations whose periods of record this program has fetched. */
  const described = new Set<string>();
  /** Shared by all cycles, so that types of a few hours are inferred from the whole year. */
  const minutes = new MinuteHistogram();
  const knownYears = new Set<number>();
  let receivedUntil: number | undefined;
  return runCycle;

  async function runCycle(msLeft: () => number): Promise<CycleResult> {
    const progress = loadProgress({ begin() {}, log });
    const context = { ...createContext(progress.events), minutes };
    const { adapter, archive, now, sourceClient } = context;
    if (adapter.kind === 'remote') await checkSourceClock(sourceClient, adapter.host);
    const start = now();
    const cycle = { context, progress, deadline: AbortSignal.timeout(msLeft()) };
    const isComplete = await loadNewestReports(cycle, newestWindow(start, receivedUntil));
    await doDueWork(cycle, msLeft);
    const firstDay = dayOf(start.getTime() / 1000);
    const days = { firstDay, endDay: addDays(firstDay, 1) };
    await recordLoad(archive, { source, stations: [], ...days, ...progress.record() }, now());
    await context.writer.close();
    const followed = { firstDay: firstDayOf(command, now()), endDay: dayOf(now().getTime() / 1000) };
    const missing = await readRemainingDaysOf([context], { stations: command.stations, ...followed });
    return {
      tally: progress.tally,
      seconds: (now().getTime() - start.getTime()) / 1000,
      isComplete: isComplete && progress.tally.slicesFailed === 0,
      daysNotDone: countStationDays(missing),
      newestReport: await readNewestReport(archive, now()),
    };
  }

  /**
   * Loads the reports of a window of each station. The types of all stations are inferred from their calendar year. The
   * year is read once, because 10 million reports take 3 s; each cycle then adds its reports to the counts in memory.
   *
   * @returns whether the source sent all of them
   */
  async function loadNewestReports({ context, progress, deadline }: Cycle, window: TimeWindow) {
    const { signal, archive, sourceClient } = context;
    const { stations } = command;
    const days = { firstDay: dayOf(window.from), endDay: addDays(dayOf(window.to - 1), 1) };
    if (stations.includes(ALL_STATIONS))
      for (const year of [yearOf(window.from), yearOf(window.to - 1)]) {
        if (knownYears.has(year)) continue;
        await reclassifyYear(context, year, signal);
        await addStoredMinutes(minutes, archive, year);
        knownYears.add(year);
      }
    let isComplete = true;
    for (const station of stations) {
      if (deadline.aborted || sourceClient.outage.isExhausted) return false;
      const slice: Slice = { source, station, ...days, window };
      const result = await retryStorage(() => loadSlice(context, slice), signal, sourceClient.timer);
      progress.done(slice, result);
      if (result.kind === 'failed') isComplete = false;
    }
    if (isComplete) receivedUntil = window.to;
    return isComplete;
  }

  async function doDueWork(cycle: Cycle, msLeft: () => number): Promise<void> {
    const { outage } = cycle.context.sourceClient;
    for (let things = Math.ceil(command.everySeconds / SECONDS_PER_THING); things > 0; things -= 1)
      for (const work of await due.list(cycle.context)) {
        if (msLeft() === 0 || outage.isExhausted) return;
        await doWork(work, cycle);
        if (cycle.deadline.aborted) return;
        due.finish(outage.isExhausted);
      }
  }

  async function doWork(work: DueWork, { context, progress, deadline }: Cycle): Promise<void> {
    if (work !== 'periods of record') {
      await backfill(context, work, { progress, stop: deadline, described });
      return;
    }
    const fetchPeriods = () => fetchStationMetadata(context, command.stations);
    const reason = await retryStorage(fetchPeriods, context.signal);
    if (reason !== undefined) log(`no periods of record: ${reason}`);
  }
}

/** Most sources have a report within minutes; later ones come with the whole day. */
const OVERLAP_SECONDS = 3 * SECONDS_PER_HOUR;
/** Sources send all stations for at most a day at a time. */
const LONGEST_SECONDS = 24 * SECONDS_PER_HOUR;

/**
 * The times to request in this cycle: the last three hours, and what earlier cycles have not received.
 *
 * @param receivedUntil seconds since 1970-01-01T00:00:00Z; `undefined` in the first cycle. A time that lies ahead was
 *   told by a clock that has been corrected since, and says nothing
 */
export function newestWindow(now: Date, receivedUntil: number | undefined): TimeWindow {
  const to = Math.floor(now.getTime() / 60_000) * 60;
  const known = receivedUntil === undefined || receivedUntil > to ? 0 : receivedUntil;
  return { from: Math.max(to - LONGEST_SECONDS, known - OVERLAP_SECONDS), to };
}
