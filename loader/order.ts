import type { Slice } from './sources/origin.ts';

export const ORDERS = ['newest', 'oldest'] as const;
export type Order = (typeof ORDERS)[number];

export type Preference = {
  /** Which years of all stations come first; `undefined`: station by station. */
  readonly order: Order | undefined;
  /** Stations that come before all others. */
  readonly priority: readonly string[];
};

/** Slices in the order in which they are wanted; those that are wanted alike stay as planned. */
export function inOrder(slices: readonly Slice[], { order, priority }: Preference): readonly Slice[] {
  const first = new Set(priority);
  const rank = ({ station }: Slice) => (first.has(station) ? 0 : 1);
  const direction = order === 'newest' ? -1 : 1;
  return slices.toSorted((a, b) => {
    if (rank(a) !== rank(b)) return rank(a) - rank(b);
    if (order === undefined || a.firstDay === b.firstDay) return 0;
    return a.firstDay < b.firstDay ? -direction : direction;
  });
}
