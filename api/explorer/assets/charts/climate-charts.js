import { html, useState } from '/assets/htm/preact.js';
import { d3 } from '../d3.js';
import { formatNumber, formatShare, MONTHS, toNumber } from '../format.js';
import { categoryShares, lowShare, SEASONS, SPEEDS, windRose } from '../model/climate.js';
import { toMonth } from '../model/requests.js';
import { clearOfUnit, entryClass, LEFT, RIGHT, useWidth, VerticalAxis } from './frame.js';
import { bandPath, linePath } from './lanes.js';

/**
 * @typedef {import('../model/requests.js').Row} Row
 * @typedef {{ entry: import('../model/entries.js').Entry, rows: readonly Row[] }} EntryRows
 */

const HEIGHT = 220;
const AXIS = 24;
/** The highest share on the scale of the flight categories. */
const MOST_LOW = 0.4;

/** Twelve months on the horizontal axis. @param {number} right */
const monthScale = (right) => d3.scaleBand(d3.range(1, 13), [LEFT, right]).padding(0.25);

/** @param {{ x: ReturnType<typeof monthScale>, y: number, isNarrow?: boolean }} props */
function MonthLabels({ x, y, isNarrow = false }) {
  return MONTHS.map(
    (month, at) =>
      html`<text class="middle" x=${(x(at + 1) ?? 0) + x.bandwidth() / 2} y=${y}>${isNarrow ? month.slice(0, 1) : month}</text>`,
  );
}

/**
 * The mean year by month: bars from the mean low to the mean high, a line for the mean, ticks for the records.
 *
 * @param {{ shown: readonly EntryRows[], label: string }} props
 */
export function TemperatureChart({ shown, label }) {
  const [ref, width] = useWidth();
  const right = Math.max(LEFT + 1, width - RIGHT);
  const months = shown.map(({ entry, rows }) => ({ entry, months: rows.map(toMonth) }));
  const isOne = shown.length === 1;
  const values = months.flatMap((each) =>
    each.months.flatMap((month) => (isOne ? [month.recordLow, month.recordHigh] : [month.low, month.high])),
  );
  const [low = 0, high = 20] = d3.extent(values.filter((value) => value !== undefined));
  const y = d3.scaleLinear([low - 2, high + 2], [HEIGHT, 4]);
  const x = monthScale(right);
  /** @param {{ month: number }} month */
  const middle = ({ month }) => (x(month) ?? 0) + x.bandwidth() / 2;
  return html`<div ref=${ref} style=${{ height: `${HEIGHT + AXIS}px` }}>
    ${
      width > 0 &&
      html`<svg width=${width} height=${HEIGHT + AXIS} role="img" aria-label=${label}>
        <${VerticalAxis} y=${y} ticks=${clearOfUnit(y.ticks(5), y)} right=${right} unit="°C" />
        <g class="axis"><${MonthLabels} x=${x} y=${HEIGHT + 17} isNarrow=${width < 420} /></g>
        ${months.map(({ entry, months: given }) =>
          isOne
            ? given.map(
                (month) =>
                  month.low !== undefined &&
                  month.high !== undefined &&
                  html`<g>
                    <title>${`${MONTHS[month.month - 1]}: mean ${formatNumber(month.mean, 1)} °C, ${formatNumber(month.low, 1)} to ${formatNumber(month.high, 1)} °C, records ${formatNumber(month.recordLow)} and ${formatNumber(month.recordHigh)} °C`}</title>
                    <line class="whisker" x1=${middle(month)} x2=${middle(month)} y1=${y(month.recordLow ?? month.low)} y2=${y(month.recordHigh ?? month.high)} />
                    <rect class="month-range" x=${x(month.month)} width=${x.bandwidth()} y=${y(month.high)} height=${y(month.low) - y(month.high)} rx="2" />
                    ${month.mean !== undefined && html`<line class="month-mean" x1=${x(month.month)} x2=${(x(month.month) ?? 0) + x.bandwidth()} y1=${y(month.mean)} y2=${y(month.mean)} />`}
                  </g>`,
              )
            : [
                bandPath(given, middle, y, ['low', 'high'], entryClass(entry.letter)),
                linePath(given, middle, y, 'mean', entryClass(entry.letter)),
              ],
        )}
      </svg>`
    }
  </div>`;
}

const NAMES = ['N', 'NNE', 'ENE', 'E', 'ESE', 'SSE', 'S', 'SSW', 'WSW', 'W', 'WNW', 'NNW'];
const SEASON_NAMES = { DJF: 'Dec–Feb', MAM: 'Mar–May', JJA: 'Jun–Aug', SON: 'Sep–Nov' };

/** The wind of the year, and small roses by season. @param {{ rows: readonly Row[], label: string, isSmall: boolean, onPoint: (text: string) => void }} props */
export function WindRoses({ rows, label, isSmall, onPoint }) {
  if (isSmall) return html`<${Rose} rows=${rows} label=${label} size=${210} onPoint=${onPoint} />`;
  return html`<div class="roses">
    <${Rose} rows=${rows} label=${label} size=${260} onPoint=${onPoint} />
    <div class="seasons">
      ${SEASONS.map((season) => html`<figure><${Rose} rows=${rows} season=${season} label="${label}, ${SEASON_NAMES[season]}" size=${112} onPoint=${onPoint} /><figcaption>${SEASON_NAMES[season]}</figcaption></figure>`)}
    </div>
  </div>`;
}

/** @param {{ rows: readonly Row[], season?: string, label: string, size: number, onPoint: (text: string) => void }} props */
function Rose({ rows, season, label, size, onPoint }) {
  const rose = windRose(rows, season);
  const isLarge = size > 200;
  const [inner, outer] = [isLarge ? 26 : 12, size / 2 - (isLarge ? 22 : 4)];
  const totals = rose.sectors.map((classes) => d3.sum(classes));
  const most = Math.max(0.05, ...totals);
  const radius = d3.scaleLinear([0, most], [inner, outer]);
  const rings = radius.ticks(3).filter((tick) => tick > 0);
  const angle = (2 * Math.PI) / totals.length;
  return html`<svg class="rose" width=${size} height=${size} viewBox=${`${-size / 2} ${-size / 2} ${size} ${size}`} role="img" aria-label=${label}>
    ${rings.map((ring) => html`<circle class="ring" r=${radius(ring)} />`)}
    ${rose.sectors.map((classes, sector) => {
      let from = 0;
      const text = `${NAMES[sector]} ${formatShare(totals[sector] ?? 0)} of ${rose.n} hours: ${classes.map((share, at) => `${SPEEDS[at]} ${formatShare(share)}`).join(', ')}`;
      return html`<g tabindex=${isLarge ? 0 : -1} role="img" aria-label=${text} onPointerEnter=${() => onPoint(text)} onFocus=${() => onPoint(text)} onPointerLeave=${() => onPoint('')} onBlur=${() => onPoint('')}>
        ${classes.map((share, speed) => {
          const [start, end] = [from, from + share];
          from = end;
          const arc = d3.arc()({
            innerRadius: radius(start),
            outerRadius: radius(end),
            startAngle: (sector - 0.44) * angle,
            endAngle: (sector + 0.44) * angle,
          });
          return share > 0 && html`<path class="speed-${speed}" d=${arc} />`;
        })}
      </g>`;
    })}
    ${isLarge && rings.map((ring) => html`<text class="ring-text" x=${Math.sin(Math.PI / 12) * radius(ring)} y=${-Math.cos(Math.PI / 12) * radius(ring)}>${formatShare(ring)}</text>`)}
    ${isLarge && ['N', 'E', 'S', 'W'].map((name, at) => html`<text class="middle" x=${Math.sin((at * Math.PI) / 2) * (outer + 11)} y=${-Math.cos((at * Math.PI) / 2) * (outer + 11)} dy="0.35em">${name}</text>`)}
    <text class="middle calm-text" dy=${isLarge ? '-0.1em' : '0.35em'}>${formatShare(rose.calm)}</text>
    ${isLarge && html`<text class="middle ring-text" dy="1.1em">calm</text>`}
  </svg>`;
}

/** The share of hours below visual conditions, by month and hour. @param {{ rows: readonly Row[], label: string, isSmall: boolean, onPoint: (text: string) => void }} props */
export function CategoryChart({ rows, label, isSmall, onPoint }) {
  const height = isSmall ? 132 : HEIGHT;
  const [ref, width] = useWidth();
  const right = Math.max(LEFT + 1, width - RIGHT);
  const hours = categoryShares(rows);
  const x = d3.scaleBand(d3.range(24), [LEFT, right]);
  const y = d3.scaleBand(d3.range(1, 13), [0, height]);
  return html`<div ref=${ref} style=${{ height: `${height + AXIS}px` }}>
    ${
      width > 0 &&
      html`<svg width=${width} height=${height + AXIS} role="img" aria-label=${label}>
        <g class="axis">
          ${MONTHS.map((month, at) => (!isSmall || at % 2 === 0) && html`<text class="end" x=${LEFT - 8} y=${(y(at + 1) ?? 0) + y.bandwidth() / 2} dy="0.34em">${month}</text>`)}
          ${[0, 6, 12, 18].map((hour) => html`<text class="start" x=${x(hour)} y=${height + 17}>${String(hour).padStart(2, '0')}:00</text>`)}
        </g>
        ${hours.map((each) => {
          const text = `${MONTHS[each.month - 1]} ${String(each.hour).padStart(2, '0')}:00: ${formatShare(lowShare(each))} IFR or LIFR, ${formatShare(each.shares.MVFR ?? 0)} MVFR, of ${each.n} hours`;
          return html`<rect class="low-share" x=${x(each.hour)} y=${y(each.month)} width=${x.bandwidth() - 1} height=${y.bandwidth() - 1} style=${{ '--share': `${Math.min(1, lowShare(each) / MOST_LOW) * 100}%` }} onPointerEnter=${() => onPoint(text)} onPointerLeave=${() => onPoint('')} />`;
        })}
      </svg>`
    }
  </div>`;
}

export const WEATHER_DAYS = /** @type {const} */ (['thunder', 'fog', 'snow', 'frost']);

/** Days with weather by month: a row of bars for each kind and entry. @param {{ shown: readonly EntryRows[], label: string, onPoint: (text: string) => void }} props */
export function DaysChart({ shown, label, onPoint }) {
  const [ref, width] = useWidth();
  const right = Math.max(LEFT + 1, width - RIGHT);
  const x = monthScale(right);
  const row = HEIGHT / WEATHER_DAYS.length;
  const days = WEATHER_DAYS.map((kind) =>
    shown.map(({ entry, rows }) => ({ entry, months: rows.map((row) => toNumber(row[`${kind}_days`])) })),
  );
  return html`<div ref=${ref} style=${{ height: `${HEIGHT + AXIS}px` }}>
    ${
      width > 0 &&
      html`<svg width=${width} height=${HEIGHT + AXIS} role="img" aria-label=${label}>
        <g class="axis"><${MonthLabels} x=${x} y=${HEIGHT + 17} isNarrow=${width < 420} /></g>
        ${WEATHER_DAYS.map((kind, at) => {
          const bottom = (at + 1) * row - 2;
          const most = Math.max(
            1,
            ...(days[at] ?? []).flatMap(({ months }) => months.map((value) => value ?? 0)),
          );
          const height = d3.scaleLinear([0, most], [0, row - 24]);
          const each = x.bandwidth() / shown.length;
          return html`<g>
            <line class="base" x1=${LEFT} x2=${right} y1=${bottom} y2=${bottom} />
            <text class="start kind" x="0" y=${bottom - 4}>${kind}</text>
            ${days[at]?.map(({ entry, months }, index) =>
              months.map((value, month) => {
                const text = `${shown.length > 1 ? `${entry.label}, ` : ''}${MONTHS[month]}: ${formatNumber(value, 1)} days with ${kind}`;
                return (
                  value !== undefined &&
                  html`<g onPointerEnter=${() => onPoint(text)} onPointerLeave=${() => onPoint('')}>
                    <rect class="bar ${shown.length > 1 ? entryClass(entry.letter) : kind}" x=${(x(month + 1) ?? 0) + index * each} width=${Math.max(1, each - 1)} y=${bottom - height(value)} height=${height(value)} />
                    ${shown.length === 1 && value >= 0.05 && html`<text class="bar-text" x=${(x(month + 1) ?? 0) + x.bandwidth() / 2} y=${bottom - height(value) - 3}>${formatNumber(value, value < 0.95 ? 1 : 0)}</text>`}
                  </g>`
                );
              }),
            )}
          </g>`;
        })}
      </svg>`
    }
  </div>`;
}

/** A line of text that a chart sets while something in it is pointed at. @returns {[string, (text: string) => void]} */
export function usePointed() {
  const [text, setText] = useState('');
  return [text, setText];
}
