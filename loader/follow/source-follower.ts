import { recordLoad } from '../../clickhouse/coverage/ledger/ledger.ts';
import { readNewestReport } from '../../clickhouse/coverage/report-counts.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import {
  addDays,
  clip,
  type Day,
  type DayRange,
  dayOf,
  dayRangesOf,
  daySetOf,
  firstProvisionalDay,
  SECONDS_PER_HOUR,
  splitByDay,
  splitByYear,
  unionOf,
  yearOf,
} from '../../clickhouse/model/day.ts';
import type { TimeWindow } from '../../clickhouse/model/time-window.ts';
import { findGaps } from '../checks/gaps.ts';
import { gapCommands } from '../commands/gaps.ts';
import { backfill } from '../commands/load/backfill.ts';
import { checkSourceClock } from '../http/fetch-once.ts';
import type { FetchEvents } from '../http/fetch-with-retry.ts';
import { retryStorage } from '../http/retry-policy.ts';
import { type LoadContext, loadSlice } from '../pipeline/load-slice.ts';
import { addStoredMinutes, reclassifyYear } from '../pipeline/reclassify.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import {
  countStationDays,
  fetchStationMetadata,
  type Load,
  type LoadCommand,
  missingDaysOf,
  readRemainingDaysOf,
} from '../plan/slices.ts';
import type { LogLine } from '../progress/display.ts';
import { type LoadProgress, loadProgress } from '../progress/load-progress.ts';
import type { SourceName } from '../sources/registry.ts';
import type { Slice } from '../sources/source.ts';

export type FollowCommand = Pick<LoadCommand, 'sources' | 'stations' | 'intervalSeconds'> & {
  readonly kind: 'follow';
  readonly everySeconds: number;
  /** The first day that is kept up to date; by default `DAYS_BACK` days before today. */
  readonly firstDay: Day | undefined;
};

/** Days before today that are searched for gaps without `--from`. */
const DAYS_BACK = 30;

export function firstDayOf({ firstDay }: FollowCommand, now: Date): Day {
  return firstDay ?? addDays(dayOf(now.getTime() / 1000), -DAYS_BACK);
}

export type CycleResult = Awaited<ReturnType<ReturnType<typeof sourceFollower>>>;

type Cycle = {
  readonly context: LoadContext;
  readonly progress: LoadProgress;
  readonly deadline: AbortSignal;
};

/** Five things are due once a day: a day that is old enough, three younger days, and the periods of record. */
const SECONDS_PER_THING = 4 * SECONDS_PER_HOUR;

/**
 * Loads the newest reports of a source, then whatever else is due. What is not begun in time is left to the next cycle.
 *
 * @param createContext creates the context of a cycle, which is a separate run
 * @returns a function that runs a cycle, and throws `ClockError` if the clocks of the source and this machine differ
 */
export function sourceFollower(
  command: FollowCommand,
  source: SourceName,
  log: LogLine,
  createContext: (events: FetchEvents) => LoadContext,
) {
  const due = dueWork(command, source);
  /** Stations whose periods of record this program has fetched. */
  const described = new Set<string>();
  /** Shared by all cycles, so that types of a few hours are inferred from the whole year. */
  const minutes = new MinuteHistogram();
  const knownYears = new Set<number>();
  let receivedUntil = 0;
  return runCycle;

  async function runCycle(msLeft: () => number) {
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
      /** The newest report of the archive, in seconds since 1970-01-01T00:00:00Z. */
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

  async function doDueWork({ context, progress, deadline }: Cycle, msLeft: () => number): Promise<void> {
    const { outage } = context.sourceClient;
    for (let things = Math.ceil(command.everySeconds / SECONDS_PER_THING); things > 0; things -= 1)
      for (const work of await due.list(context)) {
        if (msLeft() === 0 || outage.isExhausted) return;
        if (work === 'periods of record') {
          const fetchPeriods = () => fetchStationMetadata(context, command.stations);
          const reason = await retryStorage(fetchPeriods, context.signal);
          if (reason !== undefined) log(`no periods of record: ${reason}`);
        } else await backfill(context, work, { progress, stop: deadline, described });
        if (deadline.aborted) return;
        due.finish(outage.isExhausted);
      }
  }
}

/** Most sources have a report within minutes; later ones come with the whole day. */
const OVERLAP_SECONDS = 3 * SECONDS_PER_HOUR;
/** Sources send all stations for at most a day at a time. */
const LONGEST_SECONDS = 24 * SECONDS_PER_HOUR;

/**
 * The times to request in this cycle: the last three hours, and what earlier cycles have not received.
 *
 * @param receivedUntil seconds since 1970-01-01T00:00:00Z; 0 in the first cycle. A time in the future comes from a clock that
 *   has been corrected since, and is ignored
 */
export function newestWindow(now: Date, receivedUntil: number): TimeWindow {
  const to = Math.floor(now.getTime() / 60_000) * 60;
  const known = receivedUntil > to ? 0 : receivedUntil;
  return { from: Math.max(to - LONGEST_SECONDS, known - OVERLAP_SECONDS), to };
}

/** What a cycle does in addition to loading the newest reports. */
type DueWork = Load | 'periods of record';

/** What is done once a day: loading a provisional or a final day, `gaps`, or fetching the periods of record. */
type OnceDaily = Day | `final ${Day}` | 'gaps' | 'periods of record';

/** Less than 24, because a cycle can start slightly earlier or later than the one a day before. */
const HOURS_BETWEEN = 23.5;

/**
 * Decides what to request from one source in addition to the newest reports, one thing at a time:
 *
 * 1. days that are not done and old enough (at the first time younger days too),
 * 2. what `gaps` names, once a day,
 * 3. the periods of record, once a day,
 * 4. one day of the last three that was not requested for a day.
 *
 * So a cycle over all stations with nothing new has at most one request for the newest reports and two for a day.
 */
export function dueWork(command: FollowCommand, source: SourceName) {
  const doneAt = new Map<OnceDaily, number>();
  let queue: DueWork[] = [];

  return {
    /** What to do now; unchanged until all of it is finished. */
    async list(context: LoadContext): Promise<readonly DueWork[]> {
      if (queue.length === 0) queue = await find(context);
      return [...queue];
    },

    /**
     * Notes that the first item of the list is done. @param outage whether the source did not answer: its days are then due
     * again at once, not a day later
     */
    finish(outage: boolean): void {
      const work = queue.shift();
      if (!outage || work === undefined || work === 'periods of record') return;
      for (const { firstDay } of splitByDay(work)) {
        doneAt.delete(firstDay);
        doneAt.delete(`final ${firstDay}`);
      }
    },
  };

  async function find(context: LoadContext): Promise<DueWork[]> {
    const { stations } = command;
    const now = context.now();
    const isFirst = doneAt.size === 0;
    const today = dayOf(now.getTime() / 1000);
    const endDay = firstProvisionalDay(now);
    const range = { firstDay: firstDayOf(command, now), endDay };
    const missing = await missingDaysOf(context, { stations, ...range, ...(isFirst && { endDay: today }) });
    const days = rangesOf([...missing.values()].flat()).flatMap(splitByDay);
    const due = days.filter((day) => takeDay(day, now));
    // The first load fetches the periods of record before its days.
    if (isFirst) take('periods of record', now);
    if (due.length > 0)
      return rangesOf(due)
        .toReversed()
        .map((each) => load(each));
    if (isDue('gaps', now)) {
      const gaps = await gapLoads(context, range);
      take('gaps', now);
      if (gaps.length > 0) return gaps;
    }
    if (take('periods of record', now)) return ['periods of record'];
    const young = clip({ firstDay: endDay, endDay: today }, { firstDay: range.firstDay });
    const youngDay = splitByDay(young).find((day) => takeDay(day, now));
    return youngDay === undefined ? [] : [load(youngDay)];
  }

  async function gapLoads({ archive, now }: LoadContext, range: DayRange): Promise<DueWork[]> {
    const stations = command.stations.filter((station) => station !== ALL_STATIONS);
    const { gaps } = await findGaps(archive, { stations, ...range }, now());
    return gapCommands(gaps.filter((gap) => gap.source === source)).flatMap((some) => {
      // A load of done days is not resumed, so each is short: a day of all stations, or a year of each.
      const split = some.stations.includes(ALL_STATIONS) ? splitByDay : splitByYear;
      return (some.refetch ? split(some) : [some]).map((days) => load(days, some.stations, some.refetch));
    });
  }

  function load({ firstDay, endDay }: DayRange, stations = command.stations, refetch = false): Load {
    return { stations, firstDay, endDay, order: 'newest', refetch };
  }

  /**
   * Whether a day is to be requested, which then counts as done. What it lacked within the last day, the source usually
   * still lacks. A day that has become old enough is due, whenever it was last requested.
   */
  function takeDay({ firstDay: day }: DayRange, now: Date): boolean {
    return take(day < firstProvisionalDay(now) ? `final ${day}` : day, now);
  }

  function take(what: OnceDaily, now: Date): boolean {
    const isTaken = isDue(what, now);
    if (isTaken) doneAt.set(what, now.getTime());
    return isTaken;
  }

  /** A time in the future comes from a clock that has been corrected since, so the work is due. */
  function isDue(what: OnceDaily, now: Date): boolean {
    const passed = now.getTime() - (doneAt.get(what) ?? Number.NEGATIVE_INFINITY);
    return passed < 0 || passed >= HOURS_BETWEEN * 3_600_000;
  }
}

/** The same days, as ranges that do not touch. */
function rangesOf(days: readonly DayRange[]): readonly DayRange[] {
  return dayRangesOf(unionOf(days.flatMap(daySetOf)));
}
