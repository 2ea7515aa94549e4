import { nice, ticks } from 'd3-array';
import { DAY, formatTime, HOUR, MONTHS } from '../format.ts';
import type { Span } from '../model/address.ts';

export type Scale = (value: number) => number;
export type ValueScale = ReturnType<typeof scale>;
export type Domain = readonly [number, number];

/** A scale from values to pixels; with `isRoot` it is that of square roots, which shows small amounts better. */
export function scale([from, to]: Domain, [start, end]: Domain, { isRoot = false, isClamped = false } = {}) {
  const of = isRoot ? Math.sqrt : Number;
  const length = of(to) - of(from) || 1;
  const place = (value: number) => {
    const share = (of(value) - of(from)) / length;
    return start + (isClamped ? Math.min(1, Math.max(0, share)) : share) * (end - start);
  };
  return Object.assign(place, {
    ticks: (count: number) => ticks(from, to, count),
    invert: (at: number) => from + ((at - start) / (end - start || 1)) * (to - from),
  });
}

/** A linear scale whose ends are round numbers at least `margin` beyond the values; the lower end is at `height` pixels. */
export function scaleOf(values: readonly (number | undefined)[], height: number, margin: number) {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = known.length === 0 ? [0, 10] : [Math.min(...known), Math.max(...known)];
  return scale(nice(low - margin, high + margin, 8), [height, 0]);
}

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const formats = new Map<string, Intl.DateTimeFormat>();

/** Milliseconds that are added to UTC for the local time of a zone. */
function offsetAt(zone: string | undefined, time: number) {
  if (zone === undefined) return 0;
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

type IsBegin = (date: Date) => boolean;

/** The starts of local hours or days (of `length` milliseconds) within a domain for which `isBegin` is true. */
function stepsWithin([from, to]: Domain, zone: string | undefined, length: number, isBegin: IsBegin) {
  const steps = [];
  for (let local = Math.ceil((from + offsetAt(zone, from)) / length) * length; ; local += length) {
    const time = local - offsetAt(zone, local - offsetAt(zone, local));
    if (time >= to) return steps;
    if (isBegin(new Date(local))) steps.push({ time, date: new Date(local) });
  }
}

type AxisOptions = { readonly zone?: string | undefined; readonly hasWeekdays?: boolean };

/** Lines and labels of a time axis (those of days and months are in their middle), and the text of a time in a zone or in UTC. */
export function timeAxis(span: Span, [from, to]: Domain, width: number, options: AxisOptions = {}) {
  const { zone, hasWeekdays = true } = options;
  const isNarrow = width < 560;
  const years = Math.ceil((52 * (to - from)) / (365.25 * DAY) / width);
  const iso = (date: Date, begin: number, end: number) => date.toISOString().slice(begin, end);
  const day = (date: Date) => iso(date, 5, 10);
  // Twelve names of months need more room than a column of a tablet has.
  const month = (date: Date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, width < 420 ? 1 : 3);
  const weekday = (date: Date) =>
    isNarrow ? iso(date, 8, 10) : `${hasWeekdays ? `${WEEKDAYS[date.getUTCDay()]} ` : ''}${day(date)}`;
  const isShort = to - from < 120 * DAY;
  const isFirst = (date: Date) => date.getUTCDate() === 1;
  type Axis = readonly [step: number, isBegin: IsBegin, text: (date: Date) => string, length: number];
  const isYear = (date: Date) =>
    isFirst(date) && date.getUTCMonth() === 0 && date.getUTCFullYear() % years === 0;
  const axes: Record<Span, Axis> = {
    day: [HOUR, (date) => date.getUTCHours() % (isNarrow ? 6 : 4) === 0, (date) => iso(date, 11, 16), 0],
    week: [DAY, () => true, weekday, DAY],
    month: [DAY, (date) => date.getUTCDay() === 1, day, 0],
    year: isShort
      ? [DAY, (date) => [1, 15].includes(date.getUTCDate()), day, 0]
      : [DAY, isFirst, month, 30.4 * DAY],
    all: [DAY, isYear, (date) => iso(date, 0, 4), 0],
  };
  const [step, isBegin, text, length] = axes[span];
  const isOfDays = span === 'year' || span === 'all';
  const shown = isOfDays ? undefined : zone;
  const name = length > 0 ? 'middle' : '';
  const minute = (time: number) =>
    `${formatTime(time + offsetAt(shown, time))} ${shown === undefined ? 'UTC' : 'local time'}`;
  return {
    // The middle of a day that began before the domain can be within the domain.
    ticks: stepsWithin([from - length, to], shown, step, isBegin)
      .map(({ time, date }) => ({ time, at: time + length / 2, text: text(date), name }))
      .filter(({ at }) => at >= from),
    read: isOfDays ? (time: number) => iso(new Date(time), 0, span === 'all' ? 7 : 10) : minute,
    zone: isOfDays ? '' : shown === undefined ? 'UTC' : 'local',
  };
}
