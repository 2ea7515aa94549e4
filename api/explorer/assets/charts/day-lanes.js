import { html } from '/assets/htm/preact.js';
import { d3 } from '../d3.js';
import { entryClass } from './frame.js';
import { bandPath, linePath } from './lanes.js';

/**
 * The lanes of a long period, from a row for each day or month: temperature, wind, and precipitation if reported.
 *
 * @typedef {import('../model/days.js').Day & { time: number }} Point
 * @typedef {{ entry: import('../model/entries.js').Entry, points: readonly Point[] }} EntryPoints
 * @typedef {import('./lanes.js').Lane} Lane
 */

/** @param {readonly EntryPoints[]} shown @returns {Lane[]} */
export function dayLanes(shown) {
  const all = shown.flatMap(({ points }) => points);
  const hasRain = shown.length === 1 && all.some(({ precipitation = 0 }) => precipitation > 0);
  return [temperatureLane(shown, all), windLane(shown, all), ...(hasRain ? [precipitationLane(all)] : [])];
}

/** @param {readonly EntryPoints[]} shown @param {readonly Point[]} all @returns {Lane} */
function temperatureLane(shown, all) {
  const values = all.flatMap(({ low, mean, high }) => (shown.length > 1 ? [mean] : [low, high]));
  const [low = 0, high = 10] = d3.extent(values.filter((value) => value !== undefined));
  const y = d3.scaleLinear([low - 1, high + 1], [190, 0]).nice(5);
  return {
    height: 190,
    unit: '°C',
    y,
    draw: (x, scale) =>
      shown.map(({ entry, points }) => {
        const at = (/** @type {Point} */ { time }) => x(time);
        const isOne = shown.length === 1;
        return [
          isOne && bandPath(points, at, scale, ['low', 'high'], 'range'),
          linePath(points, at, scale, 'mean', isOne ? 'temperature' : entryClass(entry.letter)),
        ];
      }),
  };
}

/** @param {readonly EntryPoints[]} shown @param {readonly Point[]} all @returns {Lane} */
function windLane(shown, all) {
  const isOne = shown.length === 1;
  const most = d3.max(all, ({ wind = 0, gust = 0 }) => (isOne ? Math.max(wind, gust) : wind)) ?? 0;
  const y = d3.scaleLinear([0, Math.max(20, most)], [100, 0]).nice(4);
  return {
    height: 100,
    unit: 'kt',
    y,
    draw: (x, scale) => [
      isOne &&
        all.map(
          ({ time, gust }) =>
            gust !== undefined && html`<circle class="gust" cx=${x(time)} cy=${scale(gust)} r="1.4" />`,
        ),
      shown.map(({ entry, points }) =>
        linePath(points, ({ time }) => x(time), scale, 'wind', isOne ? 'wind' : entryClass(entry.letter)),
      ),
    ],
  };
}

/** @param {readonly Point[]} points @returns {Lane} */
function precipitationLane(points) {
  const y = d3
    .scaleLinear([0, d3.max(points, ({ precipitation = 0 }) => precipitation) ?? 1], [70, 0])
    .nice(3);
  return {
    height: 70,
    unit: 'mm',
    y,
    draw: (x, scale) =>
      points.map(
        ({ time, precipitation = 0 }) =>
          precipitation > 0 &&
          html`<line class="rain-bar" x1=${x(time)} x2=${x(time)} y1=${scale(0)} y2=${scale(precipitation)} />`,
      ),
  };
}
