import { addDays, daysBetween, formatNumber, toNumber } from '../format.js';

/**
 * The daily values of a station: a year of them, the mean year, and months.
 *
 * @typedef {{
 *   date: string, n: number, expected: number, mean: number | undefined, low: number | undefined, high: number | undefined,
 *   wind: number | undefined, gust: number | undefined, ceiling: number | undefined, fog: number | undefined,
 *   thunder: number | undefined, precipitation: number | undefined,
 * }} Day
 */

const MM_PER_INCH = 25.4;

/** @param {import('./requests.js').Row} row of `dailyValues` @returns {Day} */
export function toDay(row) {
  const inches = toNumber(row.precip_in);
  return {
    date: String(row.date),
    n: row.n,
    expected: row.expected ?? 24,
    mean: toNumber(row.mean_temp_c),
    low: toNumber(row.min_temp_c),
    high: toNumber(row.max_temp_c),
    wind: toNumber(row.mean_wspd_kt),
    gust: toNumber(row.max_gust_kt),
    ceiling: undefined,
    fog: row.n === 0 ? undefined : toNumber(row.fog_hours),
    thunder: row.n === 0 ? undefined : toNumber(row.thunder_hours),
    precipitation: inches && inches * MM_PER_INCH,
  };
}

/**
 * The values that color the days of a year. `share` maps one to the scale: -1 to 1 around 0 °C, else 0 to 1.
 *
 * @type {Readonly<Record<string, {
 *   title: string, unit: string, ends: readonly [string, string], value: (day: Day) => number | undefined,
 *   share: (value: number) => number, decimals?: number,
 * }>>}
 */
export const COLOURS = {
  temperature: {
    title: 'mean temperature',
    unit: '°C',
    ends: ['−30', '30'],
    value: ({ mean }) => mean,
    share: (value) => value / 30,
    decimals: 1,
  },
  wind: {
    title: 'mean wind',
    unit: 'kt',
    ends: ['0', '25'],
    value: ({ wind }) => wind,
    share: (value) => value / 25,
    decimals: 1,
  },
  gust: {
    title: 'strongest gust',
    unit: 'kt',
    ends: ['15', '50'],
    value: ({ gust }) => gust,
    share: (value) => (value - 15) / 35,
  },
  // A low ceiling is what stands out.
  ceiling: {
    title: 'lowest ceiling',
    unit: 'ft',
    ends: ['10000', '0'],
    value: ({ ceiling }) => ceiling,
    share: (value) => 1 - Math.sqrt(value / 10_000),
  },
  fog: {
    title: 'hours with fog',
    unit: 'h',
    ends: ['0', '12'],
    value: ({ fog }) => fog,
    share: (value) => Math.sqrt(value / 12),
  },
  thunder: {
    title: 'hours with thunder',
    unit: 'h',
    ends: ['0', '6'],
    value: ({ thunder }) => thunder,
    share: (value) => Math.sqrt(value / 6),
  },
  precipitation: {
    title: 'precipitation',
    unit: 'mm',
    ends: ['0', '40'],
    value: ({ precipitation }) => precipitation,
    share: (value) => Math.sqrt(value / 40),
    decimals: 1,
  },
};

/** @param {string} name @param {Day} day */
export function describeDay(name, day) {
  const colour = COLOURS[name];
  const value = colour?.value(day);
  const text =
    value === undefined ? 'not reported' : `${formatNumber(value, colour?.decimals)} ${colour?.unit}`;
  return `${colour?.title} ${text}, ${day.n} of ${day.expected} hours`;
}

/** A day with fewer sampled reports, as at a station that reports every three hours, has no extremes of its own. */
const ENOUGH = 8;

/** @param {Day} day */
const isWhole = ({ n, low, high }) => n >= ENOUGH && low !== undefined && high !== undefined;

/**
 * @typedef {{
 *   low: number, high: number, mean: number, recordLow: number, recordLowYear: string, recordHigh: number,
 *   recordHighYear: string,
 * }} MeanDay
 */

/** How many days before and after a mean includes: a single calendar day over twenty years is still noise. */
const SMOOTHING = 10;

/**
 * The mean year of all years but some: for each calendar day the mean lowest, highest and mean temperature over the
 * surrounding days, and the records of the day itself.
 *
 * @param {readonly Day[]} days
 * @param {readonly string[]} without years
 * @returns {{ days: ReadonlyMap<string, MeanDay>, years: readonly string[] }} by month and day, such as `02-29`
 */
export function meanYear(days, without) {
  const used = days.filter((day) => isWhole(day) && !without.includes(day.date.slice(0, 4)));
  /** @type {Map<string, { n: number, low: number, high: number, mean: number, records?: MeanDay }>} */
  const sums = new Map();
  for (const day of used) {
    const [low, high, mean] = [day.low ?? 0, day.high ?? 0, day.mean ?? 0];
    const [year, key] = [day.date.slice(0, 4), day.date.slice(5)];
    const sum = sums.get(key) ?? { n: 0, low: 0, high: 0, mean: 0 };
    const before = sum.records;
    sums.set(key, {
      n: sum.n + 1,
      low: sum.low + low,
      high: sum.high + high,
      mean: sum.mean + mean,
      records: {
        low,
        high,
        mean,
        recordLow: Math.min(low, before?.recordLow ?? low),
        recordLowYear: before === undefined || low < before.recordLow ? year : before.recordLowYear,
        recordHigh: Math.max(high, before?.recordHigh ?? high),
        recordHighYear: before === undefined || high > before.recordHigh ? year : before.recordHighYear,
      },
    });
  }
  const keys = Array.from({ length: 366 }, (_, at) => addDays('2024-01-01', at).slice(5));
  /** @type {Map<string, MeanDay>} */
  const means = new Map();
  for (const [at, key] of keys.entries()) {
    const records = sums.get(key)?.records;
    if (records === undefined) continue;
    const around = Array.from({ length: 2 * SMOOTHING + 1 }, (_, step) =>
      sums.get(keys[(at + step - SMOOTHING + 366) % 366] ?? ''),
    ).filter((sum) => sum !== undefined);
    const n = around.reduce((total, sum) => total + sum.n, 0);
    /** @param {'low' | 'high' | 'mean'} name */
    const mean = (name) => around.reduce((total, sum) => total + sum[name], 0) / n;
    means.set(key, { ...records, low: mean('low'), high: mean('high'), mean: mean('mean') });
  }
  return { days: means, years: [...new Set(used.map(({ date }) => date.slice(0, 4)))].sort() };
}

/** Years as `2005–2023`, or as a list if some are missing. @param {readonly string[]} years */
export function yearsText(years) {
  const [first = '', last = ''] = [years[0], years.at(-1)];
  if (years.length < 2) return first;
  const isWhole = Number(last) - Number(first) === years.length - 1;
  return isWhole ? `${first}–${last}` : `${years.length} years of ${first}–${last}`;
}

/** Every calendar day of a year, with its values if there are any. @param {ReadonlyMap<string, Day>} byDate @param {string} year */
export function daysOfYear(byDate, year) {
  const first = `${year}-01-01`;
  return Array.from({ length: daysBetween(first, `${Number(year) + 1}-01-01`) }, (_, at) => {
    const date = addDays(first, at);
    return { date, day: byDate.get(date) };
  });
}

/**
 * Each month as one row, at mid-month.
 *
 * @param {readonly Day[]} days
 * @returns {Day[]}
 */
export function months(days) {
  /** @type {Map<string, Day[]>} */
  const groups = new Map();
  for (const day of days) {
    const month = day.date.slice(0, 7);
    const group = groups.get(month);
    if (group === undefined) groups.set(month, [day]);
    else group.push(day);
  }
  return [...groups].map(([month, group]) => {
    /** @param {'mean' | 'low' | 'high' | 'wind' | 'gust' | 'precipitation'} name */
    const given = (name) => group.map((day) => day[name]).filter((value) => value !== undefined);
    /** @param {'mean' | 'low' | 'high' | 'wind' | 'precipitation'} name */
    const mean = (name) => {
      const values = given(name);
      // Fewer than a third of the days do not represent a month.
      return values.length * 3 < group.length
        ? undefined
        : values.reduce((sum, value) => sum + value, 0) / values.length;
    };
    const precipitation = given('precipitation');
    return {
      date: `${month}-15`,
      n: group.reduce((sum, { n }) => sum + n, 0),
      expected: group.reduce((sum, { expected }) => sum + expected, 0),
      mean: mean('mean'),
      low: mean('low'),
      high: mean('high'),
      wind: mean('wind'),
      gust: given('gust').length === 0 ? undefined : Math.max(...given('gust')),
      ceiling: undefined,
      fog: undefined,
      thunder: undefined,
      precipitation:
        precipitation.length === 0 ? undefined : precipitation.reduce((sum, value) => sum + value, 0),
    };
  });
}
