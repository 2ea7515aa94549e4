/** Random numbers from 0 to 1, the same for the same seed, so that a failed run can be repeated (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let h = Math.imul(state ^ (state >>> 15), state | 1);
    h ^= h + Math.imul(h ^ (h >>> 7), h | 61);
    return ((h ^ (h >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** The values in an order of these random numbers. */
export function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  const placed = values.map((value) => ({ value, at: random() }));
  return placed.sort((one, other) => one.at - other.at).map(({ value }) => value);
}
