import { html } from 'htm/preact/standalone';
import { useWidth } from '../elements.js';
import { MONTHS } from '../format.js';
import { ENOUGH_FOR_CELL, hourText, isKnown } from '../model/statistics.js';
import { AXIS, LEFT, RIGHT } from './chart.js';
import { scale } from './scale.js';

/** @import { Cell, ColorScale } from '../declarations.ts' */

// Values as colors: by month and hour of the day, and in a legend.

/** Lines in place of a value; a figure as a file has the same. */
const HATCH = html`<pattern id="missing" width="4" height="4" patternUnits="userSpaceOnUse"><path class="hatch" d="M-1 1L1 -1M0 4L4 0M3 5L5 3" /></pattern>`;

/** @param {{ cells: readonly Cell[], colors: ColorScale, label: string, isSmall: boolean, onPoint: (text: string) => void }} props */
export function HeatMap({ cells, colors, label, isSmall, onPoint }) {
  const height = isSmall ? 132 : 220;
  const [ref, width] = useWidth();
  const [x, y] = [scale([0, 24], [LEFT, Math.max(LEFT + 1, width - RIGHT)]), scale([1, 13], [0, height])];
  return html`<div ref=${ref} style=${{ height: `${height + AXIS}px` }}>
    ${
      width > 0 &&
      html`<svg class="cells ${colors.style}" width=${width} height=${height + AXIS} viewBox=${`0 0 ${width} ${height + AXIS}`} role="img" aria-label=${label}>
        ${HATCH}
        ${MONTHS.map((month, at) => (!isSmall || at % 2 === 0) && html`<text class="end" x=${LEFT - 8} y=${y(at + 1.5)} dy="0.34em">${month}</text>`)}
        ${[0, 6, 12, 18].map((hour) => (width > 240 || hour % 12 === 0) && html`<text x=${x(hour)} y=${height + 17}>${hourText(hour)}</text>`)}
        ${cells.map((cell) => {
          const { month, hour, n, value, text } = cell;
          const full = `${MONTHS[month - 1]} ${hourText(hour)}: ${text}, of ${n} hours`;
          const color = isKnown(cell) ? colorOf(colors.shareOf(value)) : { class: 'few' };
          return html`<rect ...${color} x=${x(hour)} y=${y(month)} width=${Math.max(0, x(1) - x(0) - 1)} height=${y(2) - y(1) - 1} onPointerEnter=${() => onPoint(full)} onPointerLeave=${() => onPoint('')} />`;
        })}
      </svg>`
    }
  </div>`;
}

/** Shares whose colors are in a key. */
const STEPS = [0, 0.25, 0.5, 0.75, 1];

/** The color of a share, which is below 0 on the other side of a scale of two. @param {number | undefined} share */
export const colorOf = (share) => ({
  class: share === undefined ? 'unreported' : share < 0 ? 'cold' : 'warm',
  style: { '--share': `${Math.round(Math.min(1, Math.abs(share ?? 0)) * 100)}%` },
});

/** The key of a heat map. @param {ColorScale} colors @param {readonly Cell[]} cells */
export const cellKey = (colors, cells) =>
  html`<${ColorKey} colors=${colors} others=${{ missing: !cells.every(isKnown) && `fewer than ${ENOUGH_FOR_CELL} hours` }} />`;

/**
 * The colors of a scale from end to end, and what days and cells without a value are, by class.
 * @param {{ colors: ColorScale, others: Readonly<Record<string, string | false>> }} props
 */
export const ColorKey = ({ colors: { style, texts, isBoth }, others }) => html`<span class="key ${style}">
    <span class="scale">${texts[0]}<span>${(isBoth ? [-1, -0.75, -0.5, -0.25, ...STEPS] : STEPS).map((share) => html`<i class="day ${colorOf(share).class}" style=${colorOf(share).style}></i>`)}</span>${texts[1]}</span>
    ${Object.entries(others).map(([name, text]) => text && html`<span><i class="day ${name}"></i> ${text}</span>`)}
  </span>`;
