import { nice, ticks } from 'd3-array';
import type { ValueScale } from '../declarations.ts';

/**
 * From values to pixels.
 *
 * @param options a root shows small amounts
 */
export function scale(
  [from, to]: readonly [number, number],
  [start, end]: readonly [number, number],
  { isRoot = false, isClamped = false }: { isRoot?: boolean; isClamped?: boolean } = {},
): ValueScale {
  const of = isRoot ? Math.sqrt : Number;
  const length = of(to) - of(from) || 1;
  const place = (value: number) => {
    const share = (of(value) - of(from)) / length;
    return start + (isClamped ? Math.min(1, Math.max(0, share)) : share) * (end - start);
  };
  return Object.assign(place, {
    ticks: (count: number) => ticks(from, to, count),
    invert: (at: number) => from + ((at - start) / (end - start || 1)) * (to - from),
  });
}

/**
 * A linear scale over values, down to a height, between round numbers.
 *
 * @param margin beyond the values
 */
export function scaleOf(values: readonly (number | undefined)[], height: number, margin: number) {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = known.length === 0 ? [0, 10] : [Math.min(...known), Math.max(...known)];
  return scale(nice(low - margin, high + margin, 8), [height, 0]);
}
