import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import {
  addDays,
  clip,
  type Day,
  type DayRange,
  type DaySet,
  dayOf,
  dayRangesOf,
  daySetOf,
  firstProvisionalDay,
  splitByDay,
  splitByYear,
  unionOf,
} from '../../clickhouse/model/day.ts';
import { findGaps } from '../checks/gaps.ts';
import { gapCommands } from '../commands/gaps.ts';
import type { LoadContext } from '../pipeline/load-slice.ts';
import { type Load, type LoadCommand, missingDaysOf } from '../plan/slices.ts';
import type { SourceName } from '../sources/registry.ts';

export type FollowCommand = Pick<LoadCommand, 'sources' | 'stations' | 'intervalSeconds'> & {
  readonly kind: 'follow';
  readonly everySeconds: number;
  /** The first day that is kept up to date; `undefined`: some days back. */
  readonly firstDay: Day | undefined;
};

/** What a cycle does in addition to loading the newest reports. */
export type DueWork = Load | 'periods of record';

/** What is done once a day: a provisional or a final day is requested, or one of the others. */
type OnceDaily = Day | `final ${Day}` | 'gaps' | 'periods of record';

/** Once a day: a cycle may start slightly earlier or later than the one a day before. */
const HOURS_BETWEEN = 23.5;

/** Days before today that are searched for gaps without `--from`. */
const DAYS_BACK = 30;

export function firstDayOf({ firstDay }: FollowCommand, now: Date): Day {
  return firstDay ?? addDays(dayOf(now.getTime() / 1000), -DAYS_BACK);
}

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
     * The first of the list is done. @param outage the source did not answer: its days are due again at once, and not a
     * day later
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
    const days = takeDue(unionOf([...missing.values()].flat().flatMap(daySetOf)), now);
    // The first load fetches the periods of record before its days.
    if (isFirst) mark('periods of record', now);
    if (days.length > 0)
      return dayRangesOf(days)
        .toReversed()
        .map((each) => load(each));
    if (isDue('gaps', now)) {
      const gaps = await gapLoads(context, range);
      mark('gaps', now);
      if (gaps.length > 0) return gaps;
    }
    if (isDue('periods of record', now)) {
      mark('periods of record', now);
      return ['periods of record'];
    }
    const young = clip({ firstDay: endDay, endDay: today }, { firstDay: range.firstDay });
    for (const day of splitByDay(young)) if (takeDue(daySetOf(day), now).length > 0) return [load(day)];
    return [];
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
   * The days not requested within the last day; marks them as requested. What they lacked then, the source usually
   * still lacks. A day that has become old enough is due, whenever it was last requested.
   */
  function takeDue(days: DaySet, now: Date): DaySet {
    const provisional = firstProvisionalDay(now);
    const due = dayRangesOf(days)
      .flatMap(splitByDay)
      .filter(({ firstDay: day }) => {
        const request = day < provisional ? (`final ${day}` as const) : day;
        if (!isDue(request, now)) return false;
        mark(request, now);
        return true;
      });
    return unionOf(due.flatMap(daySetOf));
  }

  /** A time that lies ahead was told by a clock that has been corrected since. */
  function isDue(what: OnceDaily, now: Date): boolean {
    const last = doneAt.get(what);
    const passed = last === undefined ? undefined : now.getTime() - last;
    return passed === undefined || passed < 0 || passed >= HOURS_BETWEEN * 3_600_000;
  }

  function mark(what: OnceDaily, now: Date): void {
    doneAt.set(what, now.getTime());
  }
}
