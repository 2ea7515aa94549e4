/** Whether `npm run test:long` runs: it runs the files with tests that take long and rarely fail. */
export const isLong = process.env.TEST_LONG !== undefined;

/** Tests that a long run alone has. */
export function describeLong(title: string, work: (this: Mocha.Suite) => void): void {
  if (isLong) describe(title, work);
}

export function itLong(title: string, work: Mocha.AsyncFunc): void {
  // A process runs several files, each with a function `it` of its own.
  if (isLong) it(title, work);
}
