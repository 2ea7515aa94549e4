import { svgElement } from '../../element.js';
import { MONTHS } from '../../state/utc-day.js';

/** The inner part of a chart with months from left to right, in units of its view box. */
export const CHART = { width: 480, height: 220, left: 40, right: 10, top: 10, bottom: 24 };

/** @param {number} month from 0; with 0.5 added its middle */
export function xOf(month) {
  return CHART.left + (month / 12) * (CHART.width - CHART.left - CHART.right);
}

/**
 * A scale of round numbers that holds all values.
 *
 * @param {readonly number[]} values
 */
export function createScale(values) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = [1, 2, 5, 10, 20, 50].find((each) => (high - low) / each <= 7) ?? 100;
  const [first, last] = [Math.floor(low / step) * step, Math.max(Math.ceil(high / step), 1) * step];
  const { top, bottom, height } = CHART;
  return {
    ticks: Array.from({ length: Math.round((last - first) / step) + 1 }, (_, at) => first + at * step),
    /** @param {number} value */
    y: (value) => top + ((last - value) / (last - first || 1)) * (height - top - bottom),
  };
}

/**
 * Lines and labels of the values, labels of the months.
 *
 * @param {ReturnType<typeof createScale>} scale
 * @returns {SVGElement[]}
 */
export function axes({ ticks, y }) {
  const { left, right, width, height } = CHART;
  return [
    ...ticks.flatMap((tick) => [
      svgElement('line', { x1: left, x2: width - right, y1: y(tick), y2: y(tick), class: 'grid' }),
      svgElement('text', { x: left - 6, y: y(tick) + 4, class: 'label end' }, String(tick)),
    ]),
    ...MONTHS.map((month, at) =>
      svgElement('text', { x: xOf(at + 0.5), y: height - 6, class: 'label middle' }, month),
    ),
  ];
}
