import { SECONDS_PER_DAY } from '../model/day.ts';
import { nominalHour } from '../model/time-window.ts';
import { type Calendar, monthOf, secondsAt } from './calendar.ts';
import { ABSENT, type Cell } from './column.ts';
import { isOfDays, isOfOneDay } from './groups.ts';
import type { Clock, Question } from './question.ts';
import { windowOf } from './times.ts';

const HOUR = 3600;

/** The range of a station, its local time, and the groups of its reports. */
export type Place = ReturnType<typeof placeOf>;

export function placeOf(question: Question, clock: Clock, calendar: Calendar) {
  const { groups } = question;
  const { from, to } = windowOf(clock, question);
  const localAt = (time: number) => time + secondsAt(clock.offsets, time);
  const numbersAt = (time: number) => calendar.numbersAt(localAt(time), localAt(nominalHour(time) * HOUR));
  const monthAt = (time: number) => monthOf(localAt(time));
  const units = groups.map((group) => (group.kind === 'calendar' ? group.unit : undefined));
  const date = units.indexOf('date');
  /** Of which months a group is: its own month, or all that its units of the calendar name. */
  const monthsOf = (cells: readonly Cell[]): string =>
    date >= 0
      ? `${monthOf(Number(cells[date]) * SECONDS_PER_DAY)}`
      : cells.filter((_, at) => units[at] !== undefined && units[at] !== 'hour').join('\t');
  const cellsAt = (time: number, others: readonly Cell[] = []): readonly Cell[] => {
    const numbers = numbersAt(time).values();
    const rest = others.values();
    return groups.map(({ kind }) =>
      kind === 'calendar' ? String(numbers.next().value) : (rest.next().value ?? ABSENT),
    );
  };
  const cut = [from, to].filter((time) => monthAt(time - 1) === monthAt(time));
  return {
    from,
    to,
    isOfDays: isOfDays(groups),
    isOfOneDay: isOfOneDay(groups),
    isInRange: (time: number) => time >= from && time < to,
    dayAt: (time: number) => Math.floor(localAt(time) / SECONDS_PER_DAY),
    monthAt,
    /** @param others the cells of groups that are not of the calendar */
    groupAt: (time: number, others?: readonly Cell[]) => cellsAt(time, others).join('\t'),
    monthsOf,
    /** The months of which the range has a part, where groups have whole days. */
    cutMonths: new Set(isOfDays(groups) ? cut.map((time) => monthsOf(cellsAt(time))) : []),
    /** Adds the months of the group that has a time, or has another part of its month. */
    addMonths: (months: Set<string>, time: number) => {
      const inside = Math.min(Math.max(time, from), to - 1);
      if (monthAt(inside) === monthAt(time)) months.add(monthsOf(cellsAt(inside)));
    },
  };
}
