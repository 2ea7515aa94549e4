import { equal } from 'node:assert/strict';
import { digits, endOfDigits, isMissing } from '../../../../loader/decode/characters.ts';

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
