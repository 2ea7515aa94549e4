import { nice, ticks } from 'd3-array';

export type Scale = (value: number) => number;
export type ValueScale = ReturnType<typeof scale>;
export type Domain = readonly [number, number];

/** From values to pixels; a root shows small amounts. */
export function scale([from, to]: Domain, [start, end]: Domain, { isRoot = false, isClamped = false } = {}) {
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

/** A linear scale over values, down to a height, between round numbers that a margin beyond them has. */
export function scaleOf(values: readonly (number | undefined)[], height: number, margin: number) {
  const known = values.filter((value) => value !== undefined);
  const [low, high] = known.length === 0 ? [0, 10] : [Math.min(...known), Math.max(...known)];
  return scale(nice(low - margin, high + margin, 8), [height, 0]);
}
