import { deepEqual, equal } from 'node:assert/strict';
import fc from 'fast-check';
import { emptyFields, type Fields, presentFields } from '../../../../loader/decode/fields.generated.ts';
import { digits, endOfDigits, isMissing, tokensOf } from '../../../../loader/decode/parse-state.ts';

describe('tokens', () => {
  it('are parted by white space, control characters, commas and equals signs', () => {
    deepEqual(tokensOf('\u0001METAR  EGLL\r\n 141250Z\u00a0CB,W=\u0003'), [
      'METAR',
      'EGLL',
      '141250Z',
      'CB',
      'W',
    ]);
    deepEqual(tokensOf('  '), []);
  });

  it('keep what follows an equals sign, but for the one or two characters that a line leaves behind it', () => {
    deepEqual(tokensOf('Q1012=RMK'), ['Q1012', 'RMK']);
    deepEqual(tokensOf('RMK AO2=$'), ['RMK', 'AO2', '$']);
    for (const rest of ['=', '=3D', '=05', "='(", '=T', '= 5'])
      deepEqual(tokensOf(`NOSIG${rest}`), ['NOSIG']);
    deepEqual(tokensOf('='), []);
  });
});

describe('characters', () => {
  it('read a number only where every place is a digit', () => {
    equal(digits('A2992', 1, 5), 2992);
    equal(digits('A29X2', 1, 5), -1);
    equal(digits('A299', 1, 5), -1);
  });

  it('find the end of a run of digits', () => {
    equal(endOfDigits('24015KT', 0), 5);
    equal(endOfDigits('KT', 0), 0);
  });

  it('know solidi for missing values', () => {
    equal(isMissing('///04KT', 0, 3), true);
    equal(isMissing('//', 0, 3), false);
  });
});

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
