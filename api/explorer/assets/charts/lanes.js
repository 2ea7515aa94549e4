import { html, useState } from '/assets/htm/preact.js';
import { d3 } from '../d3.js';
import { formatTime } from '../format.js';
import { clearOfUnit, LEFT, RIGHT, timeTicks, useWidth, VerticalAxis } from './frame.js';

/**
 * A part of the chart with its own vertical axis.
 *
 * @typedef {(value: number) => number} Scale
 * @typedef {{
 *   height: number, unit: string, y?: Scale & { ticks(count: number): number[] }, ticks?: readonly number[],
 *   format?: (value: number) => string, draw: (x: Scale, y: Scale, right: number) => unknown,
 * }} Lane `y` maps to the distance from the top
 */

const GAP = 14;
const AXIS = 24;

/**
 * Several lanes over one time axis, with one cursor for all of them.
 *
 * @param {{
 *   label: string, span: import('../model/address.js').Span, domain: readonly [number, number], lanes: readonly Lane[],
 *   nights: readonly { from: number, to: number }[], times: readonly number[], readout: (time: number | undefined) => unknown,
 * }} props `times` are where the cursor stops, in order
 */
export function LaneChart({ label, span, domain, lanes, nights, times, readout }) {
  const [ref, width] = useWidth();
  const [cursor, setCursor] = useState(/** @type {number | undefined} */ (undefined));
  const right = Math.max(LEFT + 1, width - RIGHT);
  const x = d3.scaleLinear(domain, [LEFT, right]);
  const tops = lanes.map((_, at) => lanes.slice(0, at).reduce((sum, { height }) => sum + height + GAP, 0));
  const bottom = lanes.reduce((sum, { height }) => sum + height + GAP, -GAP);
  const { lines, labels } = timeTicks(span, domain, width);
  const now = Date.now();
  /** @param {PointerEvent} event */
  const point = (event) => {
    const { left } = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    setCursor(nearest(times, x.invert(event.clientX - left)));
  };
  /** @param {KeyboardEvent} event */
  const press = (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === 'Escape') setCursor(undefined);
    if (step === undefined || times.length === 0) return;
    event.preventDefault();
    const at = cursor === undefined ? (step > 0 ? -1 : times.length) : times.indexOf(cursor);
    setCursor(times[Math.min(times.length - 1, Math.max(0, at + step))]);
  };
  const at = cursor !== undefined && cursor >= domain[0] && cursor <= domain[1] ? cursor : undefined;
  return html`<div class="lanes" tabindex="0" role="group" aria-label="${label}. The arrow keys read it." onKeyDown=${press}>
    <p class="readout" aria-live="polite">${at === undefined ? '' : html`<time>${span === 'year' || span === 'all' ? formatTime(at).slice(0, span === 'all' ? 7 : 10) : `${formatTime(at)} UTC`}</time> `}${readout(at)}</p>
    <div ref=${ref} style=${{ height: `${bottom + AXIS}px` }}>
      ${
        width > 0 &&
        html`<svg width=${width} height=${bottom + AXIS} role="img" aria-label=${label} onPointerMove=${point} onPointerDown=${point} onPointerLeave=${() => setCursor(undefined)}>
          ${nights.map(({ from, to }) => html`<rect class="night" x=${x(from)} width=${Math.max(0, x(to) - x(from))} y="0" height=${bottom} />`)}
          <g class="axis">
            ${lines.map((time) => html`<line x1=${x(time)} x2=${x(time)} y1="0" y2=${bottom} />`)}
            ${labels
              .filter((each) => x(each.at) < right - (each.isCentred ? 0 : 18))
              .map(
                (each) =>
                  html`<text x=${x(each.at)} y=${bottom + 17} class=${each.isCentred ? 'middle' : 'start'}>${each.text}</text>`,
              )}
            <text x="0" y=${bottom + 17} class="unit">UTC</text>
          </g>
          ${lanes.map((lane, index) => {
            const y = lane.y ?? (() => 0);
            const ticks =
              lane.y === undefined
                ? []
                : clearOfUnit(lane.ticks ?? lane.y.ticks(Math.max(2, Math.round(lane.height / 36))), lane.y);
            return html`<g transform="translate(0 ${tops[index] ?? 0})">
              ${html`<${VerticalAxis} y=${y} ticks=${ticks} right=${right} unit=${lane.unit} format=${lane.format} />`}${lane.draw(x, y, right)}
            </g>`;
          })}
          ${now > domain[0] && now < domain[1] && html`<line class="now" x1=${x(now)} x2=${x(now)} y1="0" y2=${bottom} />`}
          ${at !== undefined && html`<line class="cursor" x1=${x(at)} x2=${x(at)} y1="0" y2=${bottom} />`}
        </svg>`
      }
    </div>
  </div>`;
}

/** @param {readonly number[]} times @param {number} time */
function nearest(times, time) {
  if (times.length === 0) return undefined;
  return times[d3.bisectCenter(/** @type {number[]} */ (times), time)];
}

/**
 * A line through the values of points; a point without a value interrupts it.
 *
 * @template {string} Name
 * @template {{ readonly [name in Name]?: number | undefined }} P
 * @param {readonly P[]} points
 * @param {(point: P) => number} x
 * @param {Scale} y
 * @param {Name} name of the value
 * @param {string} [style] its class
 */
export function linePath(points, x, y, name, style = name) {
  const line = d3.line(x, (point) => y(point[name] ?? 0)).defined((point) => point[name] !== undefined);
  return html`<path class="line ${style}" d=${line(/** @type {P[]} */ (points)) ?? ''} />`;
}

/**
 * The area between two values of points.
 *
 * @template {string} Name
 * @template {{ readonly [name in Name]?: number | undefined }} P
 * @param {readonly P[]} points
 * @param {(point: P) => number} x
 * @param {Scale} y
 * @param {readonly [Name, Name]} names of the lower and the upper one
 * @param {string} style its class
 */
export function bandPath(points, x, y, [low, high], style) {
  const area = d3
    .area(
      x,
      (point) => y(point[low] ?? 0),
      (point) => y(point[high] ?? 0),
    )
    .defined((point) => point[low] !== undefined && point[high] !== undefined);
  return html`<path class="band ${style}" d=${area(/** @type {P[]} */ (points)) ?? ''} />`;
}
