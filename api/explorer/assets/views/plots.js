import uPlot from '/assets/uplot/uPlot.esm.js';
import { element } from '../element.js';
import { toSeries } from '../state/series.js';

const HEIGHT = 200;
const AXIS_WIDTH = 52;
const DAY = 86_400;

/**
 * A line, or points where the values between two reports are not known.
 *
 * @typedef {{ label: string, values: keyof Omit<import('../state/series.js').Series, 'times' | 'gaps'>, color: string, unit: string, scale: string, points?: true }} Curve
 * @typedef {{ title: string, curves: Curve[], scaleOptions: import('uplot').Scale }} Plot
 */

/** @type {Plot[]} */
const PLOTS = [
  {
    title: 'Temperature and dew point',
    scaleOptions: {},
    curves: [
      { label: 'temperature', values: 'temperature', color: '--plot-1', unit: '°C', scale: 'c' },
      { label: 'dew point', values: 'dewPoint', color: '--plot-2', unit: '°C', scale: 'c' },
    ],
  },
  {
    title: 'Wind and gusts',
    scaleOptions: { range: { min: { pad: 0, soft: 0, mode: 1 }, max: { pad: 0.1, soft: 10, mode: 1 } } },
    curves: [
      { label: 'wind', values: 'wind', color: '--plot-2', unit: 'kt', scale: 'kt' },
      { label: 'gust', values: 'gust', color: '--plot-1', unit: 'kt', scale: 'kt', points: true },
    ],
  },
  {
    title: 'Pressure (QNH)',
    scaleOptions: {},
    curves: [{ label: 'pressure', values: 'pressure', color: '--plot-3', unit: 'hPa', scale: 'hpa' }],
  },
  {
    title: 'Visibility and ceiling',
    scaleOptions: { distr: 3 },
    curves: [
      { label: 'visibility', values: 'visibility', color: '--plot-2', unit: 'm', scale: 'm' },
      { label: 'ceiling', values: 'ceiling', color: '--plot-1', unit: 'ft', scale: 'ft', points: true },
    ],
  },
];

/** @param {HTMLElement} container */
export function createPlots(container) {
  /** @type {{ uplot: import('uplot'), place: HTMLElement }[]} */
  let drawn = [];
  /** @type {readonly import('../../../client/client.d.ts').Observation[]} */
  let shown = [];

  const draw = () => {
    for (const { uplot } of drawn) uplot.destroy();
    const series = toSeries(shown);
    const places = PLOTS.map(({ title, curves }) => ({
      figure: element('figure', {}, element('figcaption', {}, title)),
      place: element('div', { role: 'img', 'aria-label': `${title}: ${describe(curves, series)}` }),
    }));
    container.replaceChildren(
      ...places.map(({ figure, place }) => {
        figure.append(place);
        return figure;
      }),
    );
    drawn = PLOTS.map((plot, at) => {
      const place = /** @type {HTMLElement} */ (places[at]?.place);
      const data = /** @type {import('uplot').AlignedData} */ ([
        series.times,
        ...plot.curves.map(({ values }) => series[values]),
      ]);
      return { place, uplot: new uPlot(options(plot, place.clientWidth), data, place) };
    });
  };

  new ResizeObserver(() => {
    for (const { uplot, place } of drawn)
      if (place.clientWidth !== uplot.width) uplot.setSize({ width: place.clientWidth, height: HEIGHT });
  }).observe(container);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    if (shown.length > 0) draw();
  });

  return {
    /** @param {readonly import('../../../client/client.d.ts').Observation[]} records */
    show(records) {
      shown = records;
      draw();
    },
    clear() {
      shown = [];
      for (const { uplot } of drawn) uplot.destroy();
      drawn = [];
      container.replaceChildren();
    },
  };
}

/**
 * @param {Plot} plot
 * @param {number} width
 * @returns {import('uplot').Options}
 */
function options({ curves, scaleOptions }, width) {
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
    scales: Object.fromEntries(scales.map((scale) => [scale, scaleOptions])),
    series: [{ label: 'UTC', value: (_, seconds) => formatTime(seconds) }, ...curves.map(toUplotSeries)],
    axes: [
      {
        ...axis,
        size: 30,
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
function toUplotSeries({ label, color: name, scale, unit, points }) {
  const stroke = color(name);
  return {
    label,
    scale,
    stroke,
    width: 1.5,
    value: (_, value) => (value === null || value === undefined ? '–' : `${value} ${unit}`),
    points: { size: 4, fill: stroke, width: 0 },
    ...(points && { paths: () => null, points: { show: true, size: 4, fill: stroke, width: 0 } }),
  };
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
 * The day at midnight, the time of the day elsewhere.
 *
 * @param {number} seconds
 * @param {number} step seconds between two ticks
 */
function formatTick(seconds, step) {
  const text = new Date(seconds * 1000).toISOString();
  return step >= DAY || seconds % DAY === 0 ? text.slice(5, 10) : text.slice(11, 16);
}

/** @param {number | null} seconds */
function formatTime(seconds) {
  return seconds === null ? '–' : new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * What a plot shows, for those who cannot see it.
 *
 * @param {readonly Curve[]} curves
 * @param {import('../state/series.js').Series} series
 */
function describe(curves, series) {
  const ranges = curves.map(({ label, values, unit }) => {
    const numbers = series[values].filter((value) => typeof value === 'number');
    return numbers.length === 0
      ? `no ${label}`
      : `${label} from ${Math.min(...numbers)} to ${Math.max(...numbers)} ${unit}`;
  });
  return [...ranges, `${series.gaps} gaps`].join(', ');
}
