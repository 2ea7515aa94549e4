import { cumsum } from 'd3-array';
import { html } from 'htm/preact/standalone';
import { isPhone } from '../elements.ts';
import { formatShare } from '../format.ts';
import { SEASONS, speedNames, type WindRose } from '../model/statistics.ts';
import { scale } from './axes.ts';
import type { EntryChart } from './chart.ts';

const SECTOR_NAMES = ['N', 'NNE', 'ENE', 'E', 'ESE', 'SSE', 'S', 'SSW', 'WSW', 'W', 'WNW', 'NNW'];

/** A wind rose of the year, and small ones of the seasons. `most` is the end of the scale that all of them share. */
export function roses(winds: readonly WindRose[], most: number, { label, isSmall, onPoint }: EntryChart) {
  const draw = (wind: WindRose) => {
    const name = wind.season && SEASONS[wind.season];
    if (name === undefined) return rose(wind, most, label, isSmall ? (isPhone() ? 165 : 210) : 260, onPoint);
    return html`<figure>${rose(wind, most, `${label}, ${name}`, 112, onPoint)}<figcaption>${name}</figcaption></figure>`;
  };
  return html`<div class="roses">${winds.slice(0, 1).map(draw)}<div class="seasons">${winds.slice(1).map(draw)}</div></div>`;
}

/** Clockwise from north, by radians. */
const pointAt = (turn: number, distance: number) =>
  `${distance * Math.sin(turn)} ${-distance * Math.cos(turn)}`;

function rose(wind: WindRose, most: number, label: string, size: number, onPoint: EntryChart['onPoint']) {
  const { season, n, sectors, totals, calm } = wind;
  const isLarge = season === undefined;
  const [inner, outer] = [isLarge ? 26 : 12, size / 2 - (isLarge ? 22 : 4)];
  // The outer ring is at a round number, so that its label is outside of the sectors.
  const radius = scale([0, most], [inner, outer]);
  const rings = radius.ticks(4).filter((tick) => tick > 0);
  const angle = (2 * Math.PI) / totals.length;
  const place = (turn: number, distance: number) => `translate(${pointAt(turn, distance)})`;
  const drawSector = (classes: number[], sector: number) => {
    const shares = classes.map((share, at) => `${speedNames()[at]} ${formatShare(share)}`).join(', ');
    const text = `${SECTOR_NAMES[sector]} ${formatShare(totals[sector] ?? 0)} of ${n} hours: ${shares}`;
    const [point, leave] = [() => onPoint(text), () => onPoint('')];
    const ends = cumsum(classes);
    return html`<g tabindex=${isLarge ? 0 : -1} role="img" aria-label=${text} onPointerEnter=${point} onFocus=${point} onPointerLeave=${leave} onBlur=${leave}>
      ${classes.map((share, speed) => {
        const [near, far] = [radius((ends[speed] ?? 0) - share), radius(ends[speed] ?? 0)];
        const [start, end] = [(sector - 0.44) * angle, (sector + 0.44) * angle];
        const arc = `M${pointAt(start, near)}L${pointAt(start, far)}A${far} ${far} 0 0 1 ${pointAt(end, far)}L${pointAt(end, near)}A${near} ${near} 0 0 0 ${pointAt(start, near)}Z`;
        return share > 0 && html`<path class="speed-${speed}" d=${arc} />`;
      })}
    </g>`;
  };
  return html`<svg class="rose" width=${size} height=${size} viewBox=${`${-size / 2} ${-size / 2} ${size} ${size}`} role="img" aria-label=${label}>
    ${rings.map((ring) => html`<circle class="ring" r=${radius(ring)} />`)}
    ${sectors.map(drawSector)}
    ${isLarge && rings.slice(-1).map((ring) => html`<text class="middle ring-text" transform=${place(angle, radius(ring) + 11)} dy="0.35em">${formatShare(ring)}</text>`)}
    ${isLarge && ['N', 'E', 'S', 'W'].map((name, at) => html`<text class="middle" transform=${place((at * Math.PI) / 2, outer + 11)} dy="0.35em">${name}</text>`)}
    <text class="middle calm-text" dy=${isLarge ? '-0.1em' : '0.35em'}>${calm === undefined ? '–' : formatShare(calm)}</text>
    ${isLarge && html`<text class="middle ring-text" dy="1.1em">calm</text>`}
  </svg>`;
}
