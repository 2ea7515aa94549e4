import { describe } from 'mocha';

/** Whether the tests run that take long and rarely fail: with `TEST_LONG`, which `npm run test:long` sets. */
export const isLong = process.env.TEST_LONG !== undefined;

/** Tests that a long run alone has. */
export const describeLong = isLong ? describe : noTest;

function noTest(_title: string, _work: (this: Mocha.Suite & Mocha.Context) => unknown): void {}
