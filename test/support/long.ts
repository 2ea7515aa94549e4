/** Whether `npm run test:long` runs: it runs the files with tests that take long and rarely fail. */
export const isLong = process.env.TEST_LONG !== undefined;

/** Tests that a long run alone has. */
export const describeLong = isLong ? describe : noTest;
export const itLong = isLong ? it : noTest;

function noTest(_title: string, _work: (this: Mocha.Suite & Mocha.Context) => unknown): void {}
