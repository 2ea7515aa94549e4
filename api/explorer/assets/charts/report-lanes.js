import { html } from '/assets/htm/preact.js';
import { d3 } from '../d3.js';
import { symbolOf } from '../model/weather.js';
import { entryClass } from './frame.js';
import { bandPath, linePath } from './lanes.js';

/**
 * The lanes of a short period, from each of its reports: temperature, wind, weather, ceiling and visibility.
 *
 * @typedef {import('../model/series.js').Values} Values
 * @typedef {import('./lanes.js').Lane} Lane
 * @typedef {{ entry: import('../model/entries.js').Entry, pieces: readonly Values[][] }} EntryPieces
 */

const CEILING_TOP = 12_000;
const VISIBILITY_TOP = 10_000;
/** Pixels between arrows, and between symbols. */
const ARROW_STEP = 20;
const SYMBOL_STEP = 16;

/** @param {readonly EntryPieces[]} shown @param {boolean} isNarrow @returns {Lane[]} */
export function reportLanes(shown, isNarrow) {
  const main = shown[0]?.pieces ?? [];
  const all = shown.flatMap(({ pieces }) => pieces.flat());
  const isCompared = shown.length > 1;
  const lanes = [
    temperatureLane(shown, all, isNarrow ? 96 : 130),
    windLane(shown, all, main.flat(), isNarrow ? 84 : 104),
  ];
  if (isCompared) return [...lanes, categoryLane(shown)];
  return [
    ...lanes,
    weatherLane(main.flat()),
    ceilingLane(main, isNarrow ? 72 : 92),
    visibilityLane(main, 40),
  ];
}

/** @param {readonly EntryPieces[]} shown @param {readonly Values[]} all @param {number} height @returns {Lane} */
function temperatureLane(shown, all, height) {
  const values = all.flatMap(({ temperature, dewPoint }) => [
    temperature,
    shown.length > 1 ? undefined : dewPoint,
  ]);
  const [low = 0, high = 10] = d3.extent(values.filter((value) => value !== undefined));
  const y = d3.scaleLinear([Math.floor(low - 1), Math.ceil(high + 1)], [height, 0]).nice(4);
  return {
    height,
    unit: '°C',
    y,
    draw: (x, scale) => {
      const at = (/** @type {Values} */ { time }) => x(time);
      return shown.flatMap(({ entry, pieces }) =>
        pieces.map((piece) =>
          shown.length > 1
            ? linePath(piece, at, scale, 'temperature', entryClass(entry.letter))
            : [
                bandPath(piece, at, scale, ['dewPoint', 'temperature'], 'spread'),
                linePath(piece, at, scale, 'dewPoint', 'dew-point'),
                linePath(piece, at, scale, 'temperature'),
              ],
        ),
      );
    },
  };
}

/** @param {readonly EntryPieces[]} shown @param {readonly Values[]} all @param {readonly Values[]} main @param {number} height @returns {Lane} */
function windLane(shown, all, main, height) {
  const most = d3.max(all, ({ wind = 0, gust = 0 }) => Math.max(wind, gust)) ?? 0;
  const isCompared = shown.length > 1;
  const y = d3.scaleLinear([0, Math.max(20, most)], [isCompared ? height : height - 18, 0]).nice(4);
  return {
    height,
    unit: 'kt',
    y,
    draw: (x, scale) => [
      shown.flatMap(({ entry, pieces }) =>
        pieces.map((piece) => [
          !isCompared &&
            bandPath(
              piece.map((values) => ({ ...values, calm: 0 })),
              ({ time }) => x(time),
              scale,
              ['calm', 'wind'],
              'wind',
            ),
          linePath(
            piece,
            ({ time }) => x(time),
            scale,
            'wind',
            isCompared ? entryClass(entry.letter) : 'wind',
          ),
        ]),
      ),
      !isCompared &&
        main.map(
          ({ time, gust }) =>
            gust !== undefined && html`<circle class="gust" cx=${x(time)} cy=${scale(gust)} r="2" />`,
        ),
      !isCompared &&
        spaced(
          main.filter(({ wind }) => wind !== undefined),
          x,
          ARROW_STEP,
        ).map(
          (values) =>
            html`<g transform="translate(${x(values.time)} ${height - 7})"><${WindArrow} values=${values} /></g>`,
        ),
    ],
  };
}

/** An arrow with the wind, a circle if calm, nothing if the direction varies. @param {{ values: Pick<Values, 'direction' | 'wind'> }} props */
export function WindArrow({ values: { direction, wind } }) {
  if (wind === 0) return html`<circle class="calm" r="2.5" />`;
  if (direction === undefined) return null;
  return html`<path class="arrow" d="M0 -6V6M-3 2L0 6L3 2" transform="rotate(${direction})" />`;
}

/** @param {readonly Values[]} values @returns {Lane} */
function weatherLane(values) {
  return {
    height: 12,
    unit: '',
    draw: (x) =>
      spaced(
        values.filter(({ wx }) => symbolOf(wx) !== undefined),
        x,
        SYMBOL_STEP,
      ).map(({ time, wx }) => {
        const symbol = symbolOf(wx);
        return html`<text class="symbol ${symbol?.kind}" x=${x(time)} y="11">${symbol?.text}</text>`;
      }),
  };
}

/** Clouds reach down to the ceiling; the strip below has the flight category's color. @param {readonly Values[][]} pieces @param {number} height @returns {Lane} */
function ceilingLane(pieces, height) {
  const strip = 12;
  const y = d3.scaleSqrt([0, CEILING_TOP], [height - strip - 3, 0]).clamp(true);
  return {
    height,
    unit: 'ft',
    y,
    ticks: [1000, 3000, 10_000],
    draw: (x, scale, right) =>
      pieces.map((piece) => [
        spans(piece, x, right).map(
          ({ values, left, width }) =>
            values.ceiling !== undefined &&
            values.ceiling < CEILING_TOP &&
            html`<rect class="cloud" x=${left} width=${width} y="0" height=${scale(values.ceiling)} />
            <line class="ceiling" x1=${left} x2=${left + width} y1=${scale(values.ceiling)} y2=${scale(values.ceiling)} />`,
        ),
        categoryStrip(piece, x, right, height - strip, strip),
      ]),
  };
}

/** @param {readonly EntryPieces[]} shown @returns {Lane} */
function categoryLane(shown) {
  const row = 18;
  return {
    height: shown.length * row,
    unit: '',
    draw: (x, _, right) =>
      shown.map(
        ({ entry, pieces }, at) => html`<text class="unit" x="0" y=${at * row + 11}>${entry.label}</text>
        ${pieces.map((piece) => categoryStrip(piece, x, right, at * row, 13))}`,
      ),
  };
}

/**
 * The flight category over time: one rectangle for each run, with its letters if they fit.
 *
 * @param {readonly Values[]} piece
 * @param {(time: number) => number} x
 * @param {number} right
 * @param {number} top
 * @param {number} height
 */
function categoryStrip(piece, x, right, top, height) {
  /** @type {{ category: import('../model/weather.js').Category, left: number, width: number }[]} */
  const runs = [];
  for (const { values, left, width } of spans(piece, x, right)) {
    const last = runs.at(-1);
    if (values.category === undefined) continue;
    if (last?.category === values.category && Math.abs(last.left + last.width - left) < 1)
      last.width += width;
    else runs.push({ category: values.category, left, width });
  }
  return runs.map(
    ({
      category,
      left,
      width,
    }) => html`<rect class="category ${category.toLowerCase()}" x=${left} width=${width} y=${top} height=${height} />
      ${width > category.length * 9 + 4 && html`<text class="category-text" x=${left + width / 2} y=${top + height / 2} dy="0.36em">${category}</text>`}`,
  );
}

/** @param {readonly Values[][]} pieces @param {number} height @returns {Lane} */
function visibilityLane(pieces, height) {
  const y = d3.scaleLinear([0, VISIBILITY_TOP], [height, 0]).clamp(true);
  return {
    height,
    unit: 'km',
    y,
    ticks: [5000],
    format: (metres) => String(metres / 1000),
    draw: (x, scale, right) =>
      pieces.map((piece) =>
        spans(piece, x, right).map(
          ({ values, left, width }) =>
            values.visibility !== undefined &&
            html`<rect class="visibility ${(values.category ?? 'VFR').toLowerCase()}" x=${left} width=${width} y=${scale(values.visibility)} height=${height - scale(values.visibility)} />`,
        ),
      ),
  };
}

/** Each report from its time to the next one's, or for an hour. @param {readonly Values[]} piece @param {(time: number) => number} x @param {number} right */
function spans(piece, x, right) {
  return piece.map((values, at) => {
    const [left, end] = [x(values.time), x(piece[at + 1]?.time ?? values.time + 3_600_000)];
    return { values, left, width: Math.max(0.5, Math.min(end, right) - left) };
  });
}

/** Points far enough from the previous one. @param {readonly Values[]} points @param {(time: number) => number} x @param {number} step */
function spaced(points, x, step) {
  let last = Number.NEGATIVE_INFINITY;
  return points.filter(({ time }) => {
    if (x(time) - last < step) return false;
    last = x(time);
    return true;
  });
}
