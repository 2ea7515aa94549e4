import { html, useLayoutEffect, useRef, useState } from '/assets/htm/preact.js';
import { d3 } from '../d3.js';
import { MONTHS } from '../format.js';

/** Space for the labels of the vertical axis, and on the right. */
export const LEFT = 44;
export const RIGHT = 10;

/** Whether the page has the phone layout, by the same rule as the style sheet. */
export const isPhone = () => matchMedia('(max-width: 44rem)').matches;

/** The width of an element that a chart fills. @returns {[{ current: HTMLElement | null }, number]} */
export function useWidth() {
  const ref = useRef(/** @type {HTMLElement | null} */ (null));
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    if (ref.current === null) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(ref.current);
    setWidth(Math.floor(ref.current.clientWidth));
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

/**
 * Lines and labels of a vertical axis, with its unit in the corner.
 *
 * @param {{
 *   y: (value: number) => number, ticks: readonly number[], right: number, unit: string, top?: number, left?: number,
 *   format?: (value: number) => string,
 * }} props
 */
export function VerticalAxis({ y, ticks, right, unit, top = 0, left = LEFT, format = String }) {
  return html`<g class="axis">
    ${ticks.map(
      (
        tick,
      ) => html`<line x1=${left} x2=${right} y1=${y(tick)} y2=${y(tick)} class=${tick === 0 ? 'zero' : ''} />
        <text x=${left - 6} y=${y(tick)} dy="0.32em" class="end">${format(tick).replace('-', '\u2212')}</text>`,
    )}
    <text x=${0} y=${top} dy="0.8em" class="unit">${unit}</text>
  </g>`;
}

/** Ticks not too close to the unit in the corner. @param {readonly number[]} ticks @param {(value: number) => number} y */
export function clearOfUnit(ticks, y, top = 0) {
  return ticks.filter((tick) => y(tick) > top + 16);
}

/** @typedef {{ at: number, text: string, isCentred: boolean }} TimeTick */

/**
 * Where the time axis has lines, and its labels: at the line, or centered between two if a label names the whole day,
 * month or year.
 *
 * @param {import('../model/address.js').Span} span
 * @param {readonly [number, number]} domain
 * @param {number} width
 * @returns {{ lines: number[], labels: TimeTick[] }}
 */
export function timeTicks(span, [from, to], width) {
  const isNarrow = width < 560;
  const range = /** @type {[Date, Date]} */ ([new Date(from), new Date(to)]);
  /** @param {import('d3').TimeInterval | null} interval */
  const each = (interval) => (interval?.range(...range) ?? []).map(Number);
  /** @param {number[]} starts @param {(time: Date) => string} text @param {number} length */
  const centred = (starts, text, length) =>
    starts.map((time) => ({ at: time + length / 2, text: text(new Date(time)), isCentred: true }));
  const day = 86_400_000;
  switch (span) {
    case 'day': {
      const lines = each(d3.utcHour.every(isNarrow ? 6 : 4));
      return {
        lines,
        labels: lines.map((time) => ({
          at: time,
          text: new Date(time).toISOString().slice(11, 16),
          isCentred: false,
        })),
      };
    }
    case 'week': {
      const lines = each(d3.utcDay);
      return { lines, labels: centred(lines, d3.utcFormat(isNarrow ? '%d' : '%a %m-%d'), day) };
    }
    case 'month': {
      const lines = each(d3.utcDay).filter((_, at) => at % (isNarrow ? 7 : 5) === 0);
      return {
        lines,
        labels: lines.map((time) => ({
          at: time,
          text: d3.utcFormat('%m-%d')(new Date(time)),
          isCentred: false,
        })),
      };
    }
    case 'year': {
      const lines = each(d3.utcMonth);
      return {
        lines,
        labels: centred(
          lines,
          (time) => (MONTHS[time.getUTCMonth()] ?? '').slice(0, isNarrow ? 1 : 3),
          30.4 * day,
        ),
      };
    }
    default: {
      const years = (to - from) / (365.25 * day);
      const step = Math.ceil(years / (width / 52));
      const lines = each(d3.utcYear.every(step));
      return {
        lines,
        labels: lines.map((time) => ({
          at: time,
          text: String(new Date(time).getUTCFullYear()),
          isCentred: false,
        })),
      };
    }
  }
}

/** The class of an entry's line, in the pattern of its letter. @param {string} letter */
export const entryClass = (letter) => `entry-${letter}`;
