import { MONTHS } from './utc-day.js';

/**
 * A row of `/v1/history/statistics`: groups, counts and values by their names.
 *
 * @typedef {{ n: number, expected?: number, [name: string]: string | number | undefined }} Row
 * @typedef {{ title: string, parameters: Record<string, string> }} Question
 */

/** What is asked for each plot. Days and hours are those of UTC, as everywhere on the page. */
export const QUESTIONS = /** @type {const} */ ({
  temperature: {
    title: 'Temperature by month',
    parameters: { select: 'min(temp_c),p5(temp_c),mean(temp_c),p95(temp_c),max(temp_c)', by: 'month' },
  },
  wind: { title: 'Wind rose', parameters: { preset: 'wind-rose' } },
  category: {
    title: 'Flight category by month and hour (UTC)',
    parameters: {
      select:
        "vfr:share(fltcat = 'VFR'),mvfr:share(fltcat = 'MVFR'),ifr:share(fltcat = 'IFR'),lifr:share(fltcat = 'LIFR')",
      by: 'month,hour',
    },
  },
  days: {
    title: 'Days with thunder, fog and snow by month',
    parameters: {
      select: 'thunder:days(thunder = TRUE),fog:days(fog = TRUE),snow:days(snow = TRUE)',
      by: 'year,month',
      sample: 'all',
    },
  },
});

/** @typedef {keyof typeof QUESTIONS} QuestionName */

/**
 * The part of the nominal hours that have a report, from 0 to 1.
 *
 * @param {readonly Row[]} rows
 */
export function completeness(rows) {
  const [n, expected] = [sum(rows.map((row) => row.n)), sum(rows.map((row) => row.expected ?? 0))];
  return expected === 0 ? 0 : n / expected;
}

/** Bounds of the classes of speed in the rose, in knots; each colour stands for two classes of the preset. */
export const SPEEDS = [
  { label: 'below 7 kt', classes: [0, 1] },
  { label: '7 to 16 kt', classes: [2, 3] },
  { label: '17 to 27 kt', classes: [4, 5] },
  { label: '28 kt and more', classes: [6, 7] },
];

/**
 * The rose: for each of 12 sectors, clockwise from north, the share of hours in each class of speed; and those without a
 * direction.
 *
 * @param {readonly Row[]} rows
 */
export function windRose(rows) {
  const total = sum(rows.map(({ n }) => n));
  /** @param {(row: Row) => boolean} isIn */
  const share = (isIn) => (total === 0 ? 0 : sum(rows.filter(isIn).map(({ n }) => n)) / total);
  const sectors = Array.from({ length: 12 }, (_, sector) =>
    SPEEDS.map(({ classes }) =>
      share((row) => row.wind_sector === String(sector) && classes.includes(Number(row.class_wspd_kt))),
    ),
  );
  return {
    sectors,
    calm: share(({ wind_sector }) => wind_sector === 'calm'),
    variable: share(({ wind_sector }) => wind_sector === 'variable'),
  };
}

/**
 * The mean number of days a month, over the months that have reports.
 *
 * @param {readonly Row[]} rows by year and month
 * @param {string} name
 * @returns {(number | undefined)[]} twelve
 */
export function daysByMonth(rows, name) {
  return MONTHS.map((_, at) => {
    const held = rows.filter(({ month, n }) => month === at + 1 && n > 0);
    return held.length === 0 ? undefined : sum(held.map((row) => Number(row[name] ?? 0))) / held.length;
  });
}

/** @param {readonly number[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0);
}
