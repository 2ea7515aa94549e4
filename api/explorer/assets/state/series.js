/**
 * The values that are plotted, aligned with `times`. `null` interrupts a line, `undefined` does not: a report without
 * this value is no gap.
 *
 * @typedef {(number | null | undefined)[]} Values
 * @typedef {{
 *   times: number[], temperature: Values, dewPoint: Values, wind: Values, gust: Values, pressure: Values,
 *   visibility: Values, ceiling: Values, gaps: number,
 * }} Series
 */

/** A report that comes a little late is no gap. */
const TOLERANCE = 1.5;
const HOUR = 3600;

/**
 * @param {readonly import('../../../client/client.d.ts').Observation[]} records in order of time
 * @returns {Series}
 */
export function toSeries(records) {
  const longest = longestInterval(records);
  /** @type {Series} */
  const series = {
    times: [],
    temperature: [],
    dewPoint: [],
    wind: [],
    gust: [],
    pressure: [],
    visibility: [],
    ceiling: [],
    gaps: 0,
  };
  for (const { observedAt, decoded = {} } of records) {
    const time = Date.parse(observedAt) / 1000;
    const last = series.times.at(-1);
    if (last !== undefined && time - last > longest) {
      add(series, (last + time) / 2, null);
      series.gaps += 1;
    }
    add(series, time, decoded);
  }
  return series;
}

/**
 * How far two reports of a station may lie apart: half as much again as its usual interval, which many special reports
 * must not shorten.
 *
 * @param {readonly import('../../../client/client.d.ts').Observation[]} records
 */
function longestInterval(records) {
  const routine = records
    .filter(({ type }) => type === 'METAR')
    .map(({ observedAt }) => Date.parse(observedAt) / 1000);
  const intervals = routine
    .slice(1)
    .map((time, at) => time - (routine[at] ?? time))
    .filter((interval) => interval > 0)
    .sort((a, b) => a - b);
  return TOLERANCE * (intervals[Math.floor(intervals.length / 2)] ?? HOUR);
}

/**
 * @param {Series} series
 * @param {number} time
 * @param {Record<string, unknown> | null} decoded `null` in a gap
 */
function add(series, time, decoded) {
  series.times.push(time);
  /** @param {string} name */
  const number = (name) => (decoded === null ? null : toNumber(decoded[name]));
  series.temperature.push(number('temp_c'));
  series.dewPoint.push(number('dewp_c'));
  series.wind.push(number('wspd_kt'));
  series.pressure.push(number('altim_hpa'));
  series.visibility.push(number('visib_m'));
  // Most reports have no gust and no ceiling: a line between two that have one would be wrong.
  series.gust.push(number('wgst_kt') ?? null);
  series.ceiling.push(decoded === null ? null : (ceilingOf(decoded) ?? null));
}

/**
 * Height of the lowest layer that covers more than half of the sky, or the vertical visibility (FMH-1).
 *
 * @param {Record<string, unknown>} decoded
 */
function ceilingOf({ clouds, vvis_ft }) {
  const layers = Array.isArray(clouds) ? clouds : [];
  const bases = layers
    .filter(({ cover }) => cover === 'BKN' || cover === 'OVC')
    .map(({ base_ft }) => base_ft);
  const heights = [...bases, vvis_ft].map(toNumber).filter((height) => height !== undefined);
  return heights.length === 0 ? undefined : Math.min(...heights);
}

/**
 * Temperatures are decimal numbers as text.
 *
 * @param {unknown} value
 */
function toNumber(value) {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}
