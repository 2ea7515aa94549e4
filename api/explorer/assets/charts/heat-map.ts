import { range } from 'd3-array';
import { html } from 'htm/preact/standalone';
import { MONTHS } from '../format.ts';
import { type Cell, type ColorScale, ENOUGH_FOR_CELL, hourText } from '../model/statistics.ts';
import type { EntryChart } from './chart.ts';

export function heatMap(cells: readonly Cell[], colors: ColorScale, { label, isSmall, onPoint }: EntryChart) {
  return html`<div class="cells ${colors.style} ${isSmall ? 'small' : ''}" role="img" aria-label=${label} onPointerLeave=${() => onPoint('')}>
    ${MONTHS.map((month, at) => html`<span style=${{ gridArea: `${at + 1} / 1` }}>${month}</span>`)}
    ${[0, 6, 12, 18].map((hour) => html`<span style=${{ gridArea: `13 / ${hour + 2} / auto / span 6` }}>${hourText(hour)}</span>`)}
    ${range(HOURS).map((at) => {
      const [month, hour] = [Math.floor(at / 24), at % 24];
      const cell = cells.find((each) => each.month === month + 1 && each.hour === hour);
      const color = colorOf(colors.shareOf(cell?.value), 'missing');
      const text = `${MONTHS[month]} ${hourText(hour)}: ${cell?.n ? `${cell.text}, of ${cell.n} hours` : 'no report'}`;
      return html`<i class="day ${color.class}" style=${{ ...color.style, gridArea: `${month + 1} / ${hour + 2}` }} onPointerEnter=${() => onPoint(text)}></i>`;
    })}
  </div>`;
}

/** Cells of a map: 24 hours of the day for each of twelve months. */
const HOURS = 12 * 24;
const COLOR_STEPS = [0, 0.25, 0.5, 0.75, 1];

/** The color of a share from 0 to 1, or below 0 on the cold side of a two-sided scale. `none` is the class without a share. */
export const colorOf = (share: number | undefined, none = 'unreported') => ({
  class: share === undefined ? none : share < 0 ? 'cold' : 'warm',
  style: { '--share': `${Math.round(Math.min(1, Math.abs(share ?? 0)) * 100)}%` },
});

/** The key of heat maps. `values` is the number of cells, in all maps together, that have a value. */
export const cellKey = (colors: ColorScale, values: number, maps: number) =>
  colorKey(colors, { missing: values < maps * HOURS && `fewer than ${ENOUGH_FOR_CELL} hours` });

/** The colors of a scale from end to end, if there is one, and the meaning of other classes of days and cells. */
export const colorKey = (
  colors: ColorScale | undefined,
  others: Readonly<Record<string, string | false>>,
) => html`<span class="key ${colors?.style}">
    ${colors && html`<span class="scale">${colors.texts[0]}<span>${(colors.isBoth ? [-1, -0.75, -0.5, -0.25, ...COLOR_STEPS] : COLOR_STEPS).map((share) => html`<i class="day ${colorOf(share).class}" style=${colorOf(share).style}></i>`)}</span>${colors.texts[1]}</span>`}
    ${Object.entries(others).map(([name, text]) => text && html`<span><i class="day ${name}"></i> ${text}</span>`)}
  </span>`;
