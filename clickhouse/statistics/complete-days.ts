import { NOMINAL_HOUR, nominalHour } from '../model/time-window.ts';
import { isOfGauges } from './amounts.ts';
import { ABSENT, type Cell } from './column.ts';
import type { Statistic } from './question.ts';
import type { Place } from './times.ts';

// Days of which enough is known for means and extremes (D59): no run of more than six missing hours of the hourly sample
// touches them. A run lasts from an hour after the report before it to an hour before the report after it.

const HOUR = 3600;
/** Hours between two reports with six missing hours. */
const LONGEST = 7;

/** SQL over the reports of a day: the first and the last of the hourly sample, how many there are, and a bit for each hour. */
export const PRESENCE = [
  'minIf(toUInt32(observedAt), isFirst)',
  'maxIf(toUInt32(observedAt), isFirst)',
  'countIf(isFirst)',
  `groupBitOrIf(bitShiftLeft(toUInt64(1), ${NOMINAL_HOUR} % 64), isFirst)`,
];

/** The part of a day before the range, in it or after it; 0 and 0 without a report of the hourly sample. */
export type Presence = {
  readonly day: number;
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly hours: Cell;
};

/**
 * The days of the range of which too little is known.
 *
 * @param presence of one station, in the order of time
 */
export function incompleteDays(
  { from, to, dayAt }: Place,
  presence: Iterable<Presence>,
): ReadonlySet<number> {
  const days = new Set<number>();
  const [firstDay, lastDay] = [dayAt(from), dayAt(to - 1)];
  const add = (first: number, last: number) => {
    for (let day = Math.max(first, firstDay); day <= Math.min(last, lastDay); day += 1) days.add(day);
  };
  let before: number | undefined;
  for (const each of presence) {
    const { day, first, last } = each;
    if (first === 0) continue;
    if (before === undefined || nominalHour(first) - nominalHour(before) > LONGEST)
      add(before === undefined ? firstDay : dayAt(before + HOUR), dayAt(first - HOUR));
    if (hasLongRun(each)) add(day, day);
    before = last;
  }
  add(before === undefined ? firstDay : dayAt(before + HOUR), lastDay);
  return days;
}

/** Whether more than six hours are missing between two. */
function hasLongRun({ first, last, count, hours }: Presence): boolean {
  const [begin, end] = [nominalHour(first), nominalHour(last)];
  if (end - begin + 1 - count < LONGEST) return false;
  const bits = BigInt(hours);
  let run = 0;
  for (let hour = begin; hour < end && run < LONGEST; hour += 1)
    run = (bits >> BigInt(hour % 64)) & 1n ? 0 : run + 1;
  return run === LONGEST;
}

/**
 * A value of a day of which too little is known. Means and extremes are absent. Amounts and weather that was seen stay, but that
 * there was none is unknown.
 */
export function knownCell(statistic: Statistic, cell: Cell): Cell {
  const stays = whatStays(statistic);
  return stays === 'value' || (stays === 'above 0' && Number(cell) > 0) ? cell : ABSENT;
}

function whatStays(statistic: Statistic): 'value' | 'above 0' | 'nothing' {
  switch (statistic.kind) {
    case 'reports':
      return 'value';
    case 'total':
    case 'trace':
      return 'above 0';
    case 'condition':
      return statistic.of === 'share' ? 'nothing' : 'above 0';
    case 'number':
      return isOfGauges(statistic) ? 'value' : 'nothing';
    default:
      return 'nothing';
  }
}
