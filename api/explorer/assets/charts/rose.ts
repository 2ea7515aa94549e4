import { cumsum, sum } from 'd3-array';
import { html } from 'htm/preact/standalone';
import { isPhone } from '../elements.ts';
import { formatShare } from '../format.ts';
import type { Row } from '../model/requests.ts';
import { SEASONS, speedNames, windRose } from '../model/statistics.ts';
import { scale } from './axes.ts';

const SECTOR_NAMES = ['N', 'NNE', 'ENE', 'E', 'ESE', 'SSE', 'S', 'SSW', 'WSW', 'W', 'WNW', 'NNW'];

/** `most` is the end of the scale, which all entries share. */
type RoseProps = { rows: readonly Row[]; label: string; most: number; onPoint: (text: string) => void };

/** The wind of the year and, if there is room, small roses by season. */
export function roses(props: RoseProps, isSmall: boolean) {
  const seasons = isSmall ? [] : Object.entries(SEASONS);
  return html`<div class="roses">
    ${rose(props, isSmall ? (isPhone() ? 165 : 210) : 260)}
    <div class="seasons">
      ${seasons.map(([season, name]) => html`<figure>${rose({ ...props, label: `${props.label}, ${name}` }, 112, season)}<figcaption>${name}</figcaption></figure>`)}
    </div>
  </div>`;
}

/** Clockwise from north, by radians. */
const pointAt = (turn: number, distance: number) =>
  `${distance * Math.sin(turn)} ${-distance * Math.cos(turn)}`;

function rose({ rows, label, most, onPoint }: RoseProps, size: number, season?: string) {
  const { sectors, n, calm } = windRose(rows, season);
  const isLarge = season === undefined;
  const [inner, outer] = [isLarge ? 26 : 12, size / 2 - (isLarge ? 22 : 4)];
  const totals = sectors.map((classes) => sum(classes));
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
    <text class="middle calm-text" dy=${isLarge ? '-0.1em' : '0.35em'}>${formatShare(calm)}</text>
    ${isLarge && html`<text class="middle ring-text" dy="1.1em">calm</text>`}
  </svg>`;
}
