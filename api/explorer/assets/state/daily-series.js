/** @typedef {{ date: string, n: number, [name: string]: string | number | undefined }} DayRow a row of the statistics by date */

const NOON = 43_200;

/**
 * A point at noon of each day; days without the value are gaps.
 *
 * @param {readonly DayRow[]} rows every day of a period
 * @param {readonly string[]} columns such as `mean_temp_c`
 * @returns {import('./series.js').Series}
 */
export function toDailySeries(rows, columns) {
  const values = columns.map((column) => [column, rows.map((row) => roundValue(row[column]))]);
  return {
    times: rows.map(({ date }) => Date.parse(date) / 1000 + NOON),
    values: Object.fromEntries(values),
    gaps: rows.filter(({ n }, at) => n === 0 && (at === 0 || rows[at - 1]?.n !== 0)).length,
  };
}

/** @param {string | number | undefined} value */
function roundValue(value) {
  return typeof value === 'number' ? Math.round(value * 10) / 10 : null;
}
