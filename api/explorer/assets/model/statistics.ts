import * as d3 from 'd3-array';
import { addDays, DAY, dayOf, formatNumber, formatShare, HOUR, toNumber } from '../format.ts';
import type { Day } from './days.ts';
import { type Range, type Row, SPEED_BOUNDS, yearRange } from './requests.ts';
import { convert, numberOf, type Quantity, textOf, unitOf } from './units.ts';

/** Why a day has no mean: after more than six hours without a report, a mean would only be that of the other hours. */
const INCOMPLETE = 'no mean: not reported, or a gap of more than six hours touches the day';

/**
 * The values that color the days of a year. `ends` are the ends of the scale unless the station's days go beyond them. With
 * `isRoot`, square roots show small amounts better. `absent` describes a day without the value.
 */
export const COLORS = {
  temperature: color('mean temperature', 'temperature', [-10, 10], { decimals: 1, absent: INCOMPLETE }),
  wind: color('mean wind', 'speed', [0, 10], { decimals: 1, absent: INCOMPLETE }),
  gust: color('strongest gust', 'speed', [15, 25], { absent: 'no gust, or not a whole day' }),
  // From 10,000 ft down to 0, so that low ceilings have the strongest color.
  ceiling: color('lowest ceiling', 'height', [10_000, 0], { isRoot: true, absent: 'no ceiling reported' }),
  fog: color('hours with fog', 'time', [0, 4], { isRoot: true }),
  thunder: color('hours with thunder', 'time', [0, 2], { isRoot: true }),
  precipitation: color('precipitation', 'amount', [0, 10], { isRoot: true, decimals: 1 }),
};
export type ColorName = keyof typeof COLORS;

type Ends = readonly [number, number];
type Texture = { readonly isRoot?: boolean; readonly decimals?: number; readonly absent?: string };

function color(title: string, unit: Quantity, ends: Ends, others: Texture) {
  return { title, unit, ends, ...others };
}

/** The share of days at each end that may be beyond a scale. */
const FEW_DAYS = 0.02;

/** The color scale of the days of a record. Temperatures on both sides of 0 °C have a color for each side. */
export type ColorScale = ReturnType<typeof scaleOfColor>;

export function scaleOfColor(name: ColorName, values: readonly number[]) {
  const { unit, isRoot, ...color } = COLORS[name];
  const ends: Ends = [convert(unit, color.ends[0]), convert(unit, color.ends[1])];
  const zero = convert(unit, 0);
  const [low = ends[0], high = ends[1]] = [d3.quantile(values, FEW_DAYS), d3.quantile(values, 1 - FEW_DAYS)];
  const most = Math.ceil(Math.max(zero - low, high - zero) / 5) * 5;
  const isBoth = name === 'temperature' && low < zero && high > zero;
  const [from, to]: Ends = isBoth
    ? [zero - most, zero + most]
    : name === 'temperature'
      ? d3.nice(low, Math.max(high, low + 2), 4)
      : ends[0] > ends[1]
        ? ends
        : [ends[0], d3.nice(0, Math.max(high, ends[1]), 4)[1]];
  /** From 0 to 1; from -1 to 1 if the scale has both sides of 0 °C. */
  const shareOf = (value: number | undefined) => {
    if (value === undefined) return undefined;
    if (isBoth) return (value - zero) / most;
    if (!isRoot) return Math.max(0, (value - from) / (to - from));
    const share = Math.sqrt(value / Math.max(from, to));
    return from > to ? 1 - share : share;
  };
  return { style: String(name), texts: [formatNumber(from), textOf(unit, to)], isBoth, shareOf };
}

export function describeDay(name: ColorName, day: Day) {
  const { title, unit, decimals, absent = `${title} not reported` } = COLORS[name];
  const value = day[name];
  const text = value === undefined ? absent : `${title} ${textOf(unit, value, decimals)}`;
  return `${text}, ${day.n} of ${day.expected} hours`;
}

/** How many days before and after a mean includes: a single calendar day over twenty years is still noise. */
const SMOOTHING = 10;

/** A mean of fewer years is no climate (WMO-No. 1203: period averages), and its extremes are no records. */
export const CLIMATE_YEARS = 10;

/**
 * The mean year of all years but the shown ones, which are not compared with themselves: for each calendar day the mean
 * lowest, highest and mean temperature over the surrounding days, and the extremes of the day itself.
 * The keys of `days` are month and day, such as `02-29`. `isClimate`: most calendar days have values of ten years or more.
 */
export function meanYear(days: readonly Day[], shown: readonly string[]) {
  const used = days.flatMap(({ date, low, high, temperature }) => {
    const isComplete = low !== undefined && high !== undefined;
    return isComplete && !shown.includes(date.slice(0, 4)) ? [{ date, low, high, temperature }] : [];
  });
  const groups = d3.group(used, ({ date }) => date.slice(5));
  const keys = d3.range(366).map((at) => addDays('2024-01-01', at).slice(5));
  // Days at the start and the end of the year also have days on both sides.
  const near = [...keys.slice(-SMOOTHING), ...keys, ...keys.slice(0, SMOOTHING)];
  const means = keys.flatMap((key, at) => {
    // Without a leap year among the used years, 29 February has the values of the 28th.
    const own = groups.get(key) ?? (key === '02-29' ? groups.get('02-28') : undefined);
    const around = near.slice(at, at + 2 * SMOOTHING + 1).flatMap((each) => groups.get(each) ?? []);
    return own === undefined ? [] : [[key, meanDay(own, around)] as const];
  });
  return {
    days: new Map(means),
    years: [...new Set(used.map(({ date }) => date.slice(0, 4)))].sort(),
    isClimate: (d3.median(groups.values(), (group) => group.length) ?? 0) >= CLIMATE_YEARS,
  };
}
export type Normals = ReturnType<typeof meanYear>;
export type MeanDay = ReturnType<typeof meanDay>;

type Complete = { date: string; low: number; high: number; temperature: number | undefined };

function meanDay(own: readonly Complete[], around: readonly Complete[]) {
  const coldest = own.reduce((a, b) => (b.low < a.low ? b : a));
  const hottest = own.reduce((a, b) => (b.high > a.high ? b : a));
  return {
    low: d3.mean(around, ({ low }) => low) ?? 0,
    high: d3.mean(around, ({ high }) => high) ?? 0,
    mean: d3.mean(around, ({ temperature }) => temperature),
    recordLow: coldest.low,
    recordLowYear: coldest.date.slice(0, 4),
    recordHigh: hottest.high,
    recordHighYear: hottest.date.slice(0, 4),
  };
}

/** What the shown year is compared with, in words; only ten years have a mean year and records. */
export function describeNormals({ years, isClimate }: Omit<Normals, 'days'>, year: string) {
  const text = yearsText(years);
  if (!isClimate)
    return { name: text, short: text, range: `lowest to highest of ${text}`, beyond: `outside of ${text}` };
  const [name, beyond] = [`the mean year of ${text}`, `a record of ${year}`];
  return { name, short: 'mean year', range: 'records', beyond };
}

/** What to call the extremes of months: rows of `normals` say how many years they are from. */
export const describeExtremes = (rows: readonly Row[]) =>
  rows.some(({ years }) => Number(years ?? 0) >= CLIMATE_YEARS) ? 'records' : 'lowest and highest';

/** Years as `2005–2023`, or as a count if some are missing. */
export function yearsText(years: readonly string[]) {
  const [first = '', last = ''] = [years[0], years.at(-1)];
  if (years.length < 2) return first;
  const isWhole = Number(last) - Number(first) === years.length - 1;
  return isWhole ? `${first}–${last}` : `${years.length} years of ${first}–${last}`;
}

/** Every calendar day of a year, with its values if there are any. */
export function daysOfYear(days: readonly Day[], year: string) {
  const byDate = new Map(days.filter(({ date }) => date.startsWith(year)).map((day) => [day.date, day]));
  const { from, to } = yearRange(year);
  const dates = d3.range(Date.parse(from), Date.parse(to), DAY).map(dayOf);
  return dates.map((date) => ({ date, day: byDate.get(date) }));
}

/** With reports for a smaller part of the hours, a mean says more about which reports exist than about the place. */
export const ENOUGH_HOURS = 0.2;

export const SEASONS = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };
export type Season = keyof typeof SEASONS;
const SECTORS = 12;
const SPEED_CLASSES = d3.range(SPEED_BOUNDS.length + 1);

/** Names of the classes of speed, which are whole knots. */
export function speedNames() {
  const { name, factor } = unitOf('speed');
  const text = (bound: number) => numberOf('speed', convert('speed', bound));
  return [0, ...SPEED_BOUNDS].map((bound, at) => {
    const next = SPEED_BOUNDS[at];
    if (next === undefined) return `${text(bound)} ${name} and more`;
    if (bound === 0) return `below ${text(next)} ${name}`;
    return `${text(bound)} to ${factor === undefined ? next - 1 : `below ${text(next)}`} ${name}`;
  });
}

export const hourText = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`;

/** `, most from 06:00 to 22:00 UTC`: the hours with a report on half of the days or more; empty if that is true of all hours. */
export function usualHours(rows: readonly Row[], zone: string) {
  const isUsual = d3.range(24).map((hour) => {
    const own = rows.filter((row) => Number(row.hour) === hour);
    const expected = new Map(own.map((row) => [row.month, row.expected ?? 0]));
    return hoursOf(own) >= Math.max(1, d3.sum(expected.values())) / 2;
  });
  const begins = d3.range(24).filter((hour) => isUsual[hour] && !isUsual[(hour + 23) % 24]);
  if (begins.length === 0 || begins.length > 2) return '';
  const ends = begins.map(
    (begin) => d3.range(begin, begin + 25).find((hour) => !isUsual[hour % 24]) ?? begin,
  );
  return `, most from ${begins.map((begin, at) => `${hourText(begin)} to ${hourText(ends[at] ?? 0)}`).join(' and ')} ${zone}`;
}

const hoursOf = (rows: readonly Row[]) => d3.sum(rows, ({ n }) => n);

/** The share of a period's hours that have a report. Hours without a row count too, as hours without a report. */
export function shareOfHours(rows: readonly Row[], { from, to }: Range) {
  const end = Math.min(Date.parse(to), Date.now());
  return (hoursOf(rows) * HOUR) / Math.max(HOUR, end - Date.parse(from));
}

export type WindRose = ReturnType<typeof windRose>;

/** Shares of the hours of a season (without one, of the year): by direction clockwise from north and speed class, and calm. */
export function windRose(rows: readonly Row[], season?: Season) {
  const used = rows.filter((row) => row.wind_sector !== undefined && (season ?? row.season) === row.season);
  const n = hoursOf(used);
  const keyOf = (row: Row) => `${row.wind_sector} ${row.class_wspd_kt}`;
  const shares = d3.rollup(used, (group) => hoursOf(group) / n, keyOf);
  const shareOf = (sector: number, speed: number) => shares.get(`${sector} ${speed}`) ?? 0;
  const sectors = d3.range(SECTORS).map((at) => SPEED_CLASSES.map((speed) => shareOf(at, speed)));
  const totals = sectors.map((classes) => d3.sum(classes));
  return { season, n, sectors, totals, calm: n > 0 ? (shares.get('calm 0') ?? 0) : undefined };
}

/** With fewer hours, a cell says more about single days than about the month and the hour. */
export const ENOUGH_FOR_CELL = 20;

/** A cell of a heat map: the value of one hour of the day in one month, from `n` hours, as a number and in words. */
export type Cell = ReturnType<typeof cellOf>;

function cellOf(row: Row | undefined, n: number, mean: number | undefined, text: string) {
  const value = n < ENOUGH_FOR_CELL ? undefined : mean;
  return { month: Number(row?.month), hour: Number(row?.hour), n, value, text };
}

/** The mean temperature of each hour of each month, from rows of `temperatures`. */
export const temperatureCells = (rows: readonly Row[]) =>
  rows.map((row) => {
    const value = convert('temperature', toNumber(row.mean_temp_c));
    return cellOf(row, row.n, value, `mean ${textOf('temperature', value, 1)}`);
  });

/** The share of IFR and LIFR in each hour of each month, from rows of `flightCategories`. */
export const categoryCells = (rows: readonly Row[]) =>
  [...d3.group(rows, (row) => `${row.month} ${row.hour}`).values()].map((group) => {
    const known = group.filter(({ fltcat }) => fltcat !== undefined);
    const n = hoursOf(known);
    const share = (name: string) => (known.find(({ fltcat }) => fltcat === name)?.n ?? 0) / Math.max(1, n);
    const value = share('IFR') + share('LIFR');
    const text = `${formatShare(value)} IFR or LIFR, ${formatShare(share('MVFR'))} MVFR`;
    return cellOf(group[0], n, value, text);
  });

export const endOfShares = (shares: readonly number[]) => d3.nice(0, Math.max(0.05, ...shares), 4)[1];

export function colorsOfShares(shares: readonly number[]): ColorScale {
  const most = endOfShares(shares);
  const shareOf = (value: number | undefined) => value && value / most;
  return { style: 'ifr', texts: ['0', formatShare(most)], isBoth: false, shareOf };
}
