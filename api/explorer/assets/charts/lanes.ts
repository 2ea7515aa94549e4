import { html } from 'htm/preact/standalone';
import { getPosition } from 'suncalc';
import { isPhone, windArrow } from '../elements.ts';
import { HOUR, MINUTE } from '../format.ts';
import type { Day } from '../model/days.ts';
import { symbolOf, type Values } from '../model/reports.ts';
import type { Coordinates } from '../model/requests.ts';
import { crosswinds, type RunwayDirection } from '../model/runways.ts';
import type { MeanDay } from '../model/statistics.ts';
import { convert, unitOf } from '../model/units.ts';
import { type Domain, type Scale, scale, scaleOf } from './axes.ts';
import { type Axes, type Lane, lane, type Point, type Shown, shapeOf, verticalLine } from './chart.ts';

// The lanes of a period: a short one has a point for each report, a long one for each day or month. Compared entries have lines.

const CEILING_TOP = 12_000;
const VISIBILITY_TOP = 10_000;
const METERS_PER_MILE = 1609.344;
/** Height of the flight categories below the ceiling. */
const STRIP = 12;
/** Height of the arrows below the wind, pixels between them, and between symbols. */
const [ARROWS, ARROW_STEP, SYMBOL_STEP] = [18, 20, 16];

export function reportLanes(shown: readonly Shown<Values>[], runway?: RunwayDirection): Lane[] {
  const points = shown[0]?.points ?? [];
  const temperature = temperatureLane(shown, isPhone() ? 96 : 130);
  const wind = windLane('Wind', shown, isPhone() ? 84 : 104, shown.length > 1 ? [] : points);
  if (shown.length > 1) return [temperature, wind, categoryLane(shown)];
  const across = shown.map((each) => ({ ...each, points: crosswinds(runway?.heading ?? 0, each.points) }));
  const crosswind = runway ? [windLane(`Crosswind of ${runway.name}`, across, 60)] : [];
  return [temperature, wind, ...crosswind, weatherLane(points), ceilingLane(points), visibilityLane(points)];
}

export function dayLanes(shown: readonly Shown<Day & Point>[]): Lane[] {
  const lanes = [temperatureLane(shown, 190), windLane('Wind', shown, 100)];
  const points = shown[0]?.points ?? [];
  const wettest = Math.max(0, ...points.map(({ precipitation = 0 }) => precipitation));
  return shown.length > 1 || wettest === 0 ? lanes : [...lanes, precipitationLane(points, wettest)];
}

/** When the upper edge of the sun, whose radius is 0.27°, is below the horizon: a band with gaps by day. */
export function nights({ latitude, longitude }: Partial<Coordinates>, [from, to]: Domain) {
  if (latitude === undefined || longitude === undefined) return [];
  return Array.from({ length: (to - from) / (5 * MINUTE) + 1 }, (_, at) => {
    const time = from + at * 5 * MINUTE;
    const isNight = getPosition(new Date(time), latitude, longitude).altitude < -0.27;
    return { time, ...(isNight && { low: 0, high: 1 }) };
  });
}

type Lines<Name extends string> = readonly Shown<Point<NoInfer<Name>>>[];

/** A line for each entry. A single entry has the class of the value, compared entries have classes of their own. */
const entryLines = <Name extends string>(shown: Lines<Name>, axes: Axes, name: Name) =>
  shown.map(({ entry, points }) => shapeOf(points, axes, [name], shown.length === 1 ? name : entry.style));

type Temperatures = Point<'temperature' | 'dewPoint' | 'low' | 'high'>;

/** The temperature over a band: in reports from the dew point to it, in days from the lowest to the highest temperature. */
function temperatureLane(shown: readonly Shown<Temperatures>[], height: number) {
  const isOne = shown.length === 1;
  const points = shown.flatMap((each) => each.points);
  const values = points.flatMap(({ temperature, dewPoint, low, high }) =>
    isOne ? [temperature, dewPoint, low, high] : [temperature],
  );
  return lane('Temperature', unitOf('temperature').name, scaleOf(values, height, 1), height, (x, y) => [
    isOne && shapeOf(points, { x, y }, ['low', 'high'], 'range'),
    isOne && shapeOf(points, { x, y }, ['dewPoint', 'temperature'], 'spread'),
    isOne && shapeOf(points, { x, y }, ['dewPoint'], 'dew-point'),
    entryLines(shown, { x, y }, 'temperature'),
  ]);
}

type Winds = readonly Shown<Point<'wind' | 'gust'>>[];

function windLane(name: string, shown: Winds, height: number, arrows: readonly Values[] = []) {
  const isOne = shown.length === 1;
  const points = shown.flatMap((each) => each.points);
  const most = points.map(({ wind = 0, gust = 0 }) => (isOne ? Math.max(wind, gust) : wind));
  const withWind = arrows.filter(({ wind }) => wind !== undefined);
  const fromZero = points.map(({ time, wind }) => ({ time, wind, zero: 0 }));
  const scale = scaleOf([0, convert('speed', 20), ...most], height - (arrows.length > 0 ? ARROWS : 0), 0);
  return lane(name, unitOf('speed').name, scale, height, (x, y) => [
    isOne && shapeOf(fromZero, { x, y }, ['zero', 'wind'], 'wind'),
    entryLines(shown, { x, y }, 'wind'),
    isOne && points.map((point) => point.gust && dot('gust', x(point.time), y(point.gust), 1.8)),
    spaced(withWind, x, ARROW_STEP).map(
      (values) => html`<g transform="translate(${x(values.time)} ${height - 7})">${windArrow(values)}</g>`,
    ),
  ]);
}

function weatherLane(points: readonly Values[]) {
  const withSymbol = points.filter(({ wx }) => symbolOf(wx) !== undefined);
  return lane('Weather', '', undefined, 12, (x) =>
    spaced(withSymbol, x, SYMBOL_STEP).map(({ time, wx }) => {
      const symbol = symbolOf(wx);
      return html`<text class="symbol ${symbol?.kind}" x=${x(time)} y="11">${symbol?.text}</text>`;
    }),
  );
}

/** Clouds reach down to the ceiling; the strip below has the flight category's color. */
function ceilingLane(points: readonly Values[]) {
  const height = isPhone() ? 72 : 92;
  const scaleOfCeiling = scale([0, CEILING_TOP], [height - STRIP - 3, 0], { isRoot: true, isClamped: true });
  const draw: Lane['draw'] = (x, y, right) => [
    spans(points, x, right).map(({ values: { ceiling = CEILING_TOP }, left, width }) => {
      if (ceiling >= CEILING_TOP) return null;
      return html`<rect class="cloud" x=${left} width=${width} y="0" height=${y(ceiling)} />
        <line class="ceiling" x1=${left} x2=${left + width} y1=${y(ceiling)} y2=${y(ceiling)} />`;
    }),
    categoryStrip(points, x, right, height - STRIP),
  ];
  const ticks = [1000, 3000, 10_000];
  return lane('Ceiling and flight category', 'ft', scaleOfCeiling, height, draw, { ticks });
}

function categoryLane(shown: readonly Shown<Values>[]) {
  const row = 18;
  return lane('Flight category', '', undefined, shown.length * row, (x, _, right) =>
    shown.map(({ entry, points }, at) => [
      html`<text x="0" y=${at * row + 11}>${entry.label}</text>`,
      categoryStrip(points, x, right, at * row),
    ]),
  );
}

/** The flight category over time: one rectangle for each run, with its letters if they fit. */
function categoryStrip(points: readonly Values[], x: Scale, right: number, top: number) {
  const runs: { category: string; left: number; width: number }[] = [];
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

/** In statute miles where the reports of the station give them. */
function visibilityLane(points: readonly Values[]) {
  const height = 40;
  const isInMiles = points.some((point) => point.isInMiles);
  const meters = isInMiles ? METERS_PER_MILE : 1000;
  const labels = { ticks: [(isInMiles ? 3 : 5) * meters], format: (tick: number) => String(tick / meters) };
  const draw: Lane['draw'] = (x, y, right) =>
    spans(points, x, right).map(({ values: { visibility, category = 'VFR' }, left, width }) => {
      if (visibility === undefined) return null;
      return html`<rect class="visibility ${category.toLowerCase()}" x=${left} width=${width} y=${y(visibility)} height=${height - y(visibility)} />`;
    });
  const scaleOfVisibility = scale([0, VISIBILITY_TOP], [height, 0], { isClamped: true });
  return lane('Visibility', isInMiles ? 'SM' : 'km', scaleOfVisibility, height, draw, labels);
}

/** The horizontal extent of each report: from its time to that of the next report, and of the last one for an hour. */
function spans(points: readonly Values[], x: Scale, right: number) {
  return points.map((values, at) => {
    const [left, end] = [x(values.time), x(points[at + 1]?.time ?? values.time + HOUR)];
    return { values, left, width: Math.max(0.5, Math.min(end, right) - left) };
  });
}

function spaced(points: readonly Values[], x: Scale, step: number) {
  let last = Number.NEGATIVE_INFINITY;
  return points.filter(({ time }) => {
    if (x(time) - last < step) return false;
    last = x(time);
    return true;
  });
}

function precipitationLane(points: readonly (Day & Point)[], wettest: number) {
  const wet = points.filter(({ precipitation }) => precipitation);
  return lane('Precipitation', unitOf('amount').name, scaleOf([0, wettest], 70, 0), 70, (x, y) =>
    wet.map(({ time, precipitation = 0 }) => verticalLine('day-range rain', x(time), y(0), y(precipitation))),
  );
}

/** A day of the shown year, with what it is compared with. */
type YearDay = Point<'temperature' | 'low' | 'high'> & { readonly normal: MeanDay | undefined };

/** Days over the band of mean lows and highs, with dots for records. Compared years or stations are lines of their means. */
export function meanYearLane(shown: readonly Shown<YearDay>[]) {
  const isOne = shown.length === 1;
  const days = shown[0]?.points ?? [];
  const values = days.flatMap(({ low, high, normal }) => [
    ...(isOne ? [low, high, normal?.recordLow, normal?.recordHigh] : []),
    normal?.low,
    normal?.high,
  ]);
  const means = shown.flatMap(({ points }) => points.map(({ temperature }) => temperature));
  const normals = days.map(({ time, normal }) => ({ ...normal, time }));
  return lane('', unitOf('temperature').name, scaleOf([...values, ...means], 260, 1), 260, (x, y) => [
    isOne && shapeOf(normals, { x, y }, ['recordLow', 'recordHigh'], 'records'),
    shapeOf(normals, { x, y }, ['low', 'high'], 'normals'),
    isOne && shapeOf(days, { x, y }, ['low', 'high'], 'range'),
    entryLines(shown, { x, y }, 'temperature'),
    isOne && days.map((day) => recordDots(day, { x, y })),
  ]);
}

function recordDots({ time, low, high, normal }: YearDay, { x, y }: Axes) {
  if (low === undefined || high === undefined || normal === undefined) return null;
  return html`${high > normal.recordHigh && dot('record', x(time), y(high) - 4, 2.5)}
    ${low < normal.recordLow && dot('record low', x(time), y(low) + 4, 2.5)}`;
}

const dot = (style: string, x: number, y: number, radius: number) =>
  html`<circle class=${style} cx=${x} cy=${y} r=${radius} />`;
