import uPlot from '/assets/uplot/uPlot.esm.js';
import { element } from '../../element.js';
import { DAY_PLOTS, REPORT_PLOTS } from './plot-kinds.js';

const HEIGHT = 200;
const AXIS_WIDTH = 52;
/** Two labels such as 2024-01 do not touch. */
const LABEL_WIDTH = 70;
const DAY = 86_400;

/** The band between the least and the greatest value is this much of the colour of its curve. */
const BAND_OPACITY = '40';

/**
 * What is drawn: each report or each day of a period, which is in seconds.
 *
 * @typedef {{ series: import('../../state/series.js').Series, byDay: boolean, from: number, to: number }} Drawing
 * @typedef {import('./plot-kinds.js').Plot} Plot
 * @typedef {import('./plot-kinds.js').Curve} Curve
 */

/** @param {HTMLElement} container */
export function createPlots(container) {
  /** @type {{ uplot: import('uplot'), place: HTMLElement }[]} */
  let drawn = [];
  /** @type {Drawing | undefined} */
  let shown;

  const clear = () => {
    for (const { uplot } of drawn) uplot.destroy();
    drawn = [];
    container.replaceChildren();
  };
  /** @param {Drawing} drawing */
  const draw = (drawing) => {
    const { series, byDay } = drawing;
    const plots = byDay ? DAY_PLOTS : REPORT_PLOTS;
    clear();
    const places = plots.map(({ title, curves }) => {
      const place = element('div', { role: 'img', 'aria-label': `${title}: ${describe(curves, series)}` });
      container.append(element('figure', {}, element('figcaption', {}, title), place));
      return place;
    });
    drawn = plots.map((plot, at) => {
      const place = /** @type {HTMLElement} */ (places[at]);
      const data = /** @type {import('uplot').AlignedData} */ ([
        series.times,
        ...plot.curves.map(({ values }) => series.values[values]),
      ]);
      return { place, uplot: new uPlot(options(plot, drawing, place.clientWidth), data, place) };
    });
  };

  new ResizeObserver(() => {
    for (const { uplot, place } of drawn)
      if (place.clientWidth !== uplot.width) uplot.setSize({ width: place.clientWidth, height: HEIGHT });
  }).observe(container);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (shown !== undefined) draw(shown);
  });

  return {
    /** @param {Drawing} drawing */
    show(drawing) {
      shown = drawing;
      draw(drawing);
    },
    clear() {
      shown = undefined;
      clear();
    },
  };
}

/**
 * @param {Plot} plot
 * @param {Drawing} drawing
 * @param {number} width
 * @returns {import('uplot').Options}
 */
function options({ curves, scaleOptions }, { byDay, from, to }, width) {
  const scales = [...new Set(curves.map(({ scale }) => scale))];
  const axis = {
    stroke: color('--text-muted'),
    grid: { stroke: color('--border'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
    cursor: { sync: { key: 'plots' }, drag: { x: false, y: false } },
    // The whole period, so that reports that are missing at its edges are seen to be missing.
    scales: { x: { range: [from, to] }, ...Object.fromEntries(scales.map((scale) => [scale, scaleOptions])) },
    bands: bandsOf(curves),
    series: [
      { label: 'UTC', value: (_, seconds) => formatTime(seconds, byDay) },
      ...curves.map(toUplotSeries),
    ],
    axes: [
      {
        ...axis,
        size: 30,
        space: LABEL_WIDTH,
        values: (_, splits, _axis, _space, step) => splits.map((seconds) => formatTick(seconds, step)),
      },
      ...scales.map((scale, at) => ({
        ...axis,
        scale,
        size: AXIS_WIDTH,
        side: at === 0 ? 3 : 1,
        grid: { ...axis.grid, show: at === 0, ...(scaleOptions.distr === 3 && { filter: powersOfTen }) },
        label: curves.find((curve) => curve.scale === scale)?.unit ?? '',
        labelSize: 18,
      })),
    ],
  };
}

/**
 * @param {Curve} curve
 * @returns {import('uplot').Series}
 */
function toUplotSeries({ label, color: name, scale, unit, kind }) {
  const stroke = color(name);
  const points = { size: 4, fill: stroke, width: 0 };
  return {
    label,
    scale,
    stroke: kind === 'edge' ? `${stroke}${BAND_OPACITY}` : stroke,
    width: kind === 'edge' ? 1 : 1.5,
    value: (_, value) => (value === null || value === undefined ? '–' : `${value} ${unit}`),
    points,
    ...(kind === 'edge' && { points: { show: false } }),
    ...(kind === 'points' && { paths: () => null, points: { show: true, ...points } }),
  };
}

/**
 * From each highest edge down to the lowest one before it. Series are counted from 1: the first is the time.
 *
 * @param {readonly Curve[]} curves
 * @returns {import('uplot').Band[]}
 */
function bandsOf(curves) {
  return curves.flatMap(({ kind, color: name }, at) =>
    kind === 'edge' && curves[at - 1]?.kind === 'edge'
      ? [{ series: [at + 1, at], fill: `${color(name)}${BAND_OPACITY}` }]
      : [],
  );
}

/** @param {string} name */
function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

/**
 * The lines of a logarithmic axis that have a label.
 *
 * @type {import('uplot').Axis.Filter}
 */
function powersOfTen(_, splits) {
  return splits.map((value) => (Number.isInteger(Math.log10(value)) ? value : null));
}

/**
 * The day at midnight, the time of the day elsewhere; months and years where the ticks are far apart.
 *
 * @param {number} seconds
 * @param {number} step seconds between two ticks
 */
function formatTick(seconds, step) {
  const text = new Date(seconds * 1000).toISOString();
  if (step >= 300 * DAY) return text.slice(0, 4);
  if (step >= 28 * DAY) return text.slice(0, 7);
  return step >= DAY || seconds % DAY === 0 ? text.slice(5, 10) : text.slice(11, 16);
}

/**
 * @param {number | null} seconds
 * @param {boolean} byDay
 */
function formatTime(seconds, byDay) {
  if (seconds === null) return '–';
  return new Date(seconds * 1000)
    .toISOString()
    .slice(0, byDay ? 10 : 16)
    .replace('T', ' ');
}

/**
 * What a plot shows, for those who cannot see it.
 *
 * @param {readonly Curve[]} curves
 * @param {import('../../state/series.js').Series} series
 */
function describe(curves, series) {
  const ranges = curves.map(({ label, values, unit }) => {
    const numbers = (series.values[values] ?? []).filter((value) => typeof value === 'number');
    return numbers.length === 0
      ? `no ${label}`
      : `${label} from ${Math.min(...numbers)} to ${Math.max(...numbers)} ${unit}`;
  });
  return [...ranges, `${series.gaps} ${series.gaps === 1 ? 'gap' : 'gaps'}`].join(', ');
}
