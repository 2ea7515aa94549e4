const { TEST_LONG } = process.env;

/** Whether `npm run test:long` runs: it runs the files that import this module, with many repetitions. */
export const isLong = TEST_LONG !== undefined;

/** The number of repetitions of a random part. */
export function repetitions({ usual, long }: { readonly usual: number; readonly long: number }): number {
  return isLong ? long : usual;
}

/** The seeds of a random part: 1, or 1 to `long`. */
export function seeds(long: number): readonly number[] {
  return Array.from({ length: isLong ? long : 1 }, (_, at) => at + 1);
}
