import { html } from 'htm/preact/standalone';
import { getPosition } from 'suncalc';
import { isPhone, WindArrow } from '../elements.js';
import { HOUR, MINUTE } from '../format.js';
import { symbolOf } from '../model/report-values.js';
import { crosswinds } from '../model/runways.js';
import { convert, unitOf } from '../model/units.js';
import { bandPath, linePath, verticalLine } from './chart.js';
import { scale, scaleOf } from './scale.js';

/** @import { Direction } from '../model/runways.js' */
/** @import { Axes, Day, Lane, MeanDay, Coordinates, Point, Scale, Shown, Values, YearDay } from '../declarations.ts' */

// The lanes of a period: from each report of a short one, from a row for each day or month of a long one. Where entries
// are compared, a lane has a line of each.

const CEILING_TOP = 12_000;
const VISIBILITY_TOP = 10_000;
const METERS_PER_MILE = 1609.344;
/** Height of the flight categories below the ceiling. */
const STRIP = 12;
/** Height of the arrows below the wind, pixels between them, and between symbols. */
const [ARROWS, ARROW_STEP, SYMBOL_STEP] = [18, 20, 16];

/** @param {readonly Shown<Values>[]} shown @param {Direction} [runway] @returns {Lane[]} */
export function reportLanes(shown, runway) {
  const points = shown[0]?.points ?? [];
  const temperature = temperatureLane(shown, isPhone() ? 96 : 130);
  const wind = windLane('Wind', shown, isPhone() ? 84 : 104, shown.length > 1 ? [] : points);
  if (shown.length > 1) return [temperature, wind, categoryLane(shown)];
  const across = shown.map((each) => ({ ...each, points: crosswinds(runway?.heading ?? 0, each.points) }));
  const crosswind = runway ? [windLane(`Crosswind of ${runway.name}`, across, 60, [])] : [];
  return [temperature, wind, ...crosswind, weatherLane(points), ceilingLane(points), visibilityLane(points)];
}

/** @param {readonly Shown<Day & Point>[]} shown @returns {Lane[]} */
export function dayLanes(shown) {
  const lanes = [temperatureLane(shown, 190), windLane('Wind', shown, 100, [])];
  const points = shown[0]?.points ?? [];
  const wettest = Math.max(0, ...points.map(({ precipitation = 0 }) => precipitation));
  return shown.length > 1 || wettest === 0 ? lanes : [...lanes, precipitationLane(points, wettest)];
}

/**
 * When the upper edge of the sun, whose radius is 0.27°, is below the horizon: a band with gaps by day.
 * @param {Coordinates} place
 * @param {readonly [number, number]} domain
 * @returns {Point<'low' | 'high'>[]}
 */
export const nights = ({ latitude, longitude }, [from, to]) =>
  Array.from({ length: (to - from) / (5 * MINUTE) + 1 }, (_, at) => {
    const time = from + at * 5 * MINUTE;
    const isNight = getPosition(new Date(time), latitude, longitude).altitude < -0.27;
    return { time, ...(isNight && { low: 0, high: 1 }) };
  });

/**
 * @template {string} Name
 * @param {readonly Shown<Point<NoInfer<Name>>>[]} shown
 * @param {Axes} axes
 * @param {Name} name
 * @param {string} style the class of the line if it is the only one
 */
const entryLines = (shown, axes, name, style) =>
  shown.map(({ entry, points }) => linePath(points, axes, name, shown.length === 1 ? style : entry.style));

/**
 * The temperature over a band: of a report from the dew point, of a day from the lowest to the highest.
 * @param {readonly Shown<Point<'temperature' | 'dewPoint' | 'low' | 'high'>>[]} shown
 * @param {number} height
 * @returns {Lane}
 */
function temperatureLane(shown, height) {
  const isOne = shown.length === 1;
  const points = shown.flatMap((each) => each.points);
  const values = points.flatMap(({ temperature, dewPoint, low, high }) =>
    isOne ? [temperature, dewPoint, low, high] : [temperature],
  );
  return {
    height,
    name: 'Temperature',
    unit: unitOf('temperature').name,
    y: scaleOf(values, height, 1),
    draw: (x, y) => [
      isOne && bandPath(points, { x, y }, ['low', 'high'], 'range'),
      isOne && bandPath(points, { x, y }, ['dewPoint', 'temperature'], 'spread'),
      isOne && linePath(points, { x, y }, 'dewPoint', 'dew-point'),
      entryLines(shown, { x, y }, 'temperature', 'temperature'),
    ],
  };
}

/**
 * @param {string} name
 * @param {readonly Shown<Point<'wind' | 'gust'>>[]} shown
 * @param {number} height
 * @param {readonly Values[]} arrows
 * @returns {Lane}
 */
function windLane(name, shown, height, arrows) {
  const isOne = shown.length === 1;
  const points = shown.flatMap((each) => each.points);
  const most = points.map(({ wind = 0, gust = 0 }) => (isOne ? Math.max(wind, gust) : wind));
  const withWind = arrows.filter(({ wind }) => wind !== undefined);
  const fromZero = points.map(({ time, wind }) => ({ time, wind, zero: 0 }));
  return {
    height,
    name,
    unit: unitOf('speed').name,
    y: scaleOf([0, convert('speed', 20), ...most], height - (arrows.length > 0 ? ARROWS : 0), 0),
    draw: (x, y) => [
      isOne && bandPath(fromZero, { x, y }, ['zero', 'wind'], 'wind'),
      entryLines(shown, { x, y }, 'wind', 'wind'),
      isOne && points.map((point) => point.gust && dot('gust', x(point.time), y(point.gust), 1.8)),
      spaced(withWind, x, ARROW_STEP).map(
        (values) =>
          html`<g transform="translate(${x(values.time)} ${height - 7})"><${WindArrow} values=${values} /></g>`,
      ),
    ],
  };
}

/** @param {readonly Values[]} points @returns {Lane} */
function weatherLane(points) {
  const withSymbol = points.filter(({ wx }) => symbolOf(wx) !== undefined);
  return {
    height: 12,
    name: 'Weather',
    unit: '',
    draw: (x) =>
      spaced(withSymbol, x, SYMBOL_STEP).map(({ time, wx }) => {
        const symbol = symbolOf(wx);
        return html`<text class="symbol ${symbol?.kind}" x=${x(time)} y="11">${symbol?.text}</text>`;
      }),
  };
}

/** Clouds reach down to the ceiling; the strip below has the flight category's color. @param {readonly Values[]} points @returns {Lane} */
function ceilingLane(points) {
  const height = isPhone() ? 72 : 92;
  return {
    height,
    name: 'Ceiling and flight category',
    unit: 'ft',
    y: scale([0, CEILING_TOP], [height - STRIP - 3, 0], { isRoot: true, isClamped: true }),
    ticks: [1000, 3000, 10_000],
    draw: (x, y, right) => [
      spans(points, x, right).map(({ values: { ceiling = CEILING_TOP }, left, width }) => {
        if (ceiling >= CEILING_TOP) return null;
        return html`<rect class="cloud" x=${left} width=${width} y="0" height=${y(ceiling)} />
          <line class="ceiling" x1=${left} x2=${left + width} y1=${y(ceiling)} y2=${y(ceiling)} />`;
      }),
      categoryStrip(points, x, right, height - STRIP),
    ],
  };
}

/** @param {readonly Shown<Values>[]} shown @returns {Lane} */
function categoryLane(shown) {
  const row = 18;
  return {
    height: shown.length * row,
    name: 'Flight category',
    unit: '',
    draw: (x, _, right) =>
      shown.map(
        ({ entry, points }, at) =>
          html`<text x="0" y=${at * row + 11}>${entry.label}</text>${categoryStrip(points, x, right, at * row)}`,
      ),
  };
}

/**
 * The flight category over time: one rectangle for each run, with its letters if they fit.
 * @param {readonly Values[]} points
 * @param {Scale} x
 * @param {number} right
 * @param {number} top
 */
function categoryStrip(points, x, right, top) {
  /** @type {{ category: string, left: number, width: number }[]} */
  const runs = [];
  for (const { values, left, width } of spans(points, x, right)) {
    const { category } = values;
    const last = runs.at(-1);
    if (category === undefined) continue;
    if (last?.category === category && Math.abs(last.left + last.width - left) < 1) last.width += width;
    else runs.push({ category, left, width });
  }
  return runs.map((run) => {
    const isWide = run.width > run.category.length * 9 + 4;
    return html`<rect class="category ${run.category.toLowerCase()}" x=${run.left} width=${run.width} y=${top} height=${STRIP} />
      ${isWide && html`<text class="category-text" x=${run.left + run.width / 2} y=${top + STRIP / 2} dy="0.36em">${run.category}</text>`}`;
  });
}

/** In statute miles where the reports of the station give them. @param {readonly Values[]} points @returns {Lane} */
function visibilityLane(points) {
  const height = 40;
  const isInMiles = points.some((point) => point.isInMiles);
  const meters = isInMiles ? METERS_PER_MILE : 1000;
  return {
    height,
    name: 'Visibility',
    unit: isInMiles ? 'SM' : 'km',
    y: scale([0, VISIBILITY_TOP], [height, 0], { isClamped: true }),
    ticks: [isInMiles ? 3 * meters : 5 * meters],
    format: (tick) => String(tick / meters),
    draw: (x, y, right) =>
      spans(points, x, right).map(({ values: { visibility, category = 'VFR' }, left, width }) => {
        if (visibility === undefined) return null;
        return html`<rect class="visibility ${category.toLowerCase()}" x=${left} width=${width} y=${y(visibility)} height=${height - y(visibility)} />`;
      }),
  };
}

/**
 * Each report from its time to that of the next, or for an hour.
 * @param {readonly Values[]} points
 * @param {Scale} x
 * @param {number} right
 */
function spans(points, x, right) {
  return points.map((values, at) => {
    const [left, end] = [x(values.time), x(points[at + 1]?.time ?? values.time + HOUR)];
    return { values, left, width: Math.max(0.5, Math.min(end, right) - left) };
  });
}

/** Points far enough from the previous one. @param {readonly Values[]} points @param {Scale} x @param {number} step */
function spaced(points, x, step) {
  let last = Number.NEGATIVE_INFINITY;
  return points.filter(({ time }) => {
    if (x(time) - last < step) return false;
    last = x(time);
    return true;
  });
}

/** @param {readonly (Day & Point)[]} points @param {number} wettest @returns {Lane} */
function precipitationLane(points, wettest) {
  const wet = points.filter(({ precipitation }) => precipitation);
  return {
    height: 70,
    name: 'Precipitation',
    unit: unitOf('amount').name,
    y: scaleOf([0, wettest], 70, 0),
    draw: (x, y) =>
      wet.map(({ time, precipitation = 0 }) =>
        verticalLine('day-range rain', x(time), y(0), y(precipitation)),
      ),
  };
}

/**
 * The mean, lowest and highest temperature of each day over the band of mean lows and highs, and dots for record days.
 * Compared years or stations are lines of their mean temperature.
 * @param {readonly Shown<YearDay>[]} shown
 * @returns {Lane}
 */
export function meanYearLane(shown) {
  const isOne = shown.length === 1;
  const days = shown[0]?.points ?? [];
  const values = days.flatMap(({ day, normal }) => [
    ...(isOne ? [day?.low, day?.high, normal?.recordLow, normal?.recordHigh] : []),
    normal?.low,
    normal?.high,
  ]);
  const means = shown.flatMap(({ points }) => points.map(({ mean }) => mean));
  const normals = days.map(({ time, normal }) => ({ ...normal, time }));
  const ranges = days.map(({ time, day }) => ({ time, low: day?.low, high: day?.high }));
  return {
    height: 260,
    unit: unitOf('temperature').name,
    y: scaleOf([...values, ...means], 260, 1),
    draw: (x, y) => [
      isOne && bandPath(normals, { x, y }, ['recordLow', 'recordHigh'], 'records'),
      bandPath(normals, { x, y }, ['low', 'high'], 'normals'),
      isOne && bandPath(ranges, { x, y }, ['low', 'high'], 'range'),
      entryLines(shown, { x, y }, 'mean', 'temperature'),
      isOne && days.map(({ time, day, normal }) => day && recordDots(day, normal, x(time), y)),
    ],
  };
}

/** @param {Day} day @param {MeanDay | undefined} normal @param {number} at @param {Scale} y */
function recordDots({ low, high }, normal, at, y) {
  if (low === undefined || high === undefined || normal === undefined) return null;
  return html`${high > normal.recordHigh && dot('record', at, y(high) - 4, 2.5)}
    ${low < normal.recordLow && dot('record low', at, y(low) + 4, 2.5)}`;
}

/** @param {string} style its class @param {number} x @param {number} y @param {number} radius */
const dot = (style, x, y, radius) => html`<circle class=${style} cx=${x} cy=${y} r=${radius} />`;
