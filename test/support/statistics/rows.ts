import type { Question } from '../../../clickhouse/statistics/question.ts';
import { judge } from '../conditions/judge.ts';
import { calendarValue, groupValue, type Key, type LocalTimes } from './groups.ts';
import { type Counted, nominalHour } from './sample.ts';

/** The rows of an answer, with the reports that belong to each. */

const HOUR = 3600;

/** A row before its values are computed. */
export type Cell = {
  readonly keys: readonly Key[];
  readonly counted: Counted[];
};

/** The rows, with what belongs to each. */
export function placeReports(
  counted: readonly Counted[],
  question: Question,
  localAt: (time: number) => Date,
) {
  const { groups, condition, from, to } = question;
  const inRange = (time: number) => time >= from && time < to;
  const isCalendarAlone = groups.every(({ kind }) => kind === 'calendar');
  const cells = new Map<string, Cell>();
  const cellOf = (keys: readonly Key[]): Cell => {
    const name = JSON.stringify(keys.map((key) => key ?? null));
    const cell = cells.get(name) ?? { keys, counted: [] };
    cells.set(name, cell);
    return cell;
  };
  const calendarKeys = (times: LocalTimes) =>
    groups.map((group) => (group.kind === 'calendar' ? calendarValue(group.unit, times, groups) : undefined));

  const expected = new Map<string, number>();
  for (let hour = Math.floor(from / HOUR) * HOUR; hour < to; hour += HOUR) {
    const keys = calendarKeys({ local: localAt(Math.max(hour, from)), localHour: localAt(hour) });
    if (isCalendarAlone) cellOf(keys);
    const name = JSON.stringify(keys);
    expected.set(name, (expected.get(name) ?? 0) + (hour >= from ? 1 : 0));
  }
  const expectedOf = ({ keys }: Cell) =>
    expected.get(JSON.stringify(keys.map((key, n) => (groups[n]?.kind === 'calendar' ? key : undefined)))) ??
    0;
  if (groups.length === 0) cellOf([]);

  for (const each of counted) {
    const { report } = each;
    if (condition !== undefined && judge(condition, report) !== true) continue;
    const times = {
      local: localAt(report.observedAt),
      localHour: localAt(nominalHour(report.observedAt) * HOUR),
    };
    if (!inRange(report.observedAt)) continue;
    cellOf(groups.map((group) => groupValue(group, report, times, groups))).counted.push(each);
  }

  return { cells: [...cells.values()], expectedOf };
}
