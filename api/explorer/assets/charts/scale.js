import { nice, ticks } from 'd3-array';

/** @import { ValueScale } from '../declarations.ts' */

/**
 * From values to pixels.
 * @param {readonly [number, number]} domain
 * @param {readonly [number, number]} range
 * @param {{ isRoot?: boolean, isClamped?: boolean }} [options] a root shows small amounts
 * @returns {ValueScale}
 */
export function scale([from, to], [start, end], { isRoot = false, isClamped = false } = {}) {
  const of = isRoot ? Math.sqrt : Number;
  const length = of(to) - of(from) || 1;
  /** @param {number} value */
  const place = (value) => {
    const share = (of(value) - of(from)) / length;
    return start + (isClamped ? Math.min(1, Math.max(0, share)) : share) * (end - start);
  };
  return Object.assign(place, {
    /** @param {number} count */
    ticks: (count) => ticks(from, to, count),
    /** @param {number} at */
    invert: (at) => from + ((at - start) / (end - start || 1)) * (to - from),
  });
}

/**
 * A linear scale over values, down to a height, between round numbers.
 * @param {readonly (number | undefined)[]} values
 * @param {number} height
 * @param {number} margin beyond the values
 */
export function scaleOf(values, height, margin) {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = known.length === 0 ? [0, 10] : [Math.min(...known), Math.max(...known)];
  return scale(nice(low - margin, high + margin, 8), [height, 0]);
}
