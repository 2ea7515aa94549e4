import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import { emptyFields, type Fields, presentFields } from '../../../../loader/decode/parse-state.ts';

const NAMES = Object.keys(emptyFields()) as (keyof Fields)[];

describe('fields', () => {
  it('give exactly what was set, whichever fields these are', () => {
    fc.assert(
      fc.property(fc.subarray(NAMES), (names) => {
        const values = Object.fromEntries(names.map((name, at) => [name, at]));
        deepEqual(presentFields({ ...emptyFields(), ...values } as Fields), { cavok: false, ...values });
      }),
      { numRuns: 2000 },
    );
  });

  it('give all of them where all are set', () => {
    const values = Object.fromEntries(NAMES.map((name, at) => [name, at]));
    deepEqual(presentFields({ ...emptyFields(), ...values } as Fields), values);
  });
});
