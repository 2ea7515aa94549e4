import { SECONDS_PER_DAY } from '../model/day.ts';
import { clampToArchive, EARLY_SECONDS, NO_TIME } from '../model/time-window.ts';
import { Calendar, secondsAt } from './calendar.ts';
import type { Column } from './column.ts';
import { calendarUnits } from './groups.ts';
import type { Clock, Question } from './question.ts';
import type { LocalTime } from './times.ts';

/** What the statements of a question share. */
export type PeriodSource = {
  readonly question: Question;
  readonly clocks: readonly Clock[];
  /** In the order of the answer. */
  readonly stations: readonly string[];
  /** SQL: the number of the station. */
  readonly station: string;
  /** The clause FROM: reports of the range, and of some seconds before and after it, whether or not they meet `condition`. */
  readonly sample: (before: number, after: number) => string;
  /** The same of the first METARs of all hours, of every type. */
  readonly hourlySample: (before: number, after: number) => string;
  readonly params: Readonly<Record<string, unknown>>;
  /** SQL over a report: whether it counts. */
  readonly condition?: string;
  readonly local: LocalTime;
  /** SQL: whether a time is in the range of the station. */
  readonly inRange: (time: string) => string;
  readonly groups: readonly Column[];
  /** Each group has whole days. */
  readonly isOfDays: boolean;
  /** Each group is of one day. */
  readonly isOfOneDay: boolean;
};

/** The columns of a row in the order of all rows; those without a value are NULL. */
export type RowSql = (
  groups: readonly string[],
  values: Readonly<Record<string, string>>,
) => readonly string[];

/** The names of groups in rows. */
export function groupNames(groups: readonly Column[]): readonly string[] {
  return groups.map((_, at) => `_group${at}`);
}

const HOUR = 3600;

/** The local time of a time, and that of its nominal hour. */
export function localTimes(local: LocalTime, time: string) {
  return {
    local: local.sql(time),
    localHour: local.sql(`intDiv(${time} + ${EARLY_SECONDS}, ${HOUR}) * ${HOUR}`),
  };
}

/** SQL: all of these conditions. */
export function allOf(...conditions: readonly (string | false | undefined)[]): string {
  return conditions.flatMap((condition) => (condition ? `(${condition})` : [])).join(' AND ');
}

/** The range of a station, its local time, and the groups of times where groups have whole days. */
export function placeOf({ question, clocks, isOfDays }: PeriodSource, station: string) {
  const { offsets, range } = clocks.find(({ stations }) => stations.includes(station)) as Clock;
  const { from, to } = clampToArchive(range ?? question) ?? NO_TIME;
  const calendar = new Calendar(calendarUnits(question.groups));
  const localAt = (time: number) => time + secondsAt(offsets, time);
  return {
    from,
    to,
    localAt,
    dayAt: (time: number) => Math.floor(localAt(time) / SECONDS_PER_DAY),
    ...(isOfDays && { groupAt: (time: number) => calendar.numbersAt(localAt(time)).join('\t') }),
  };
}
