/** Whether `npm run test:random` runs: it runs the files that import this module, with many repetitions. */
const isRandomRun = process.env.TEST_RANDOM !== undefined;

/** The number of repetitions of a random part. */
export function repetitions({ usual, long }: { readonly usual: number; readonly long: number }): number {
  return isRandomRun ? long : usual;
}

/** The seeds of a random part: 1, or 1 to `long`. */
export function seeds(long: number): readonly number[] {
  return Array.from({ length: isRandomRun ? long : 1 }, (_, at) => at + 1);
}
