import { equal } from 'node:assert/strict';
import { coverFrom, isMisspelt } from '../../../../../loader/decode/repair/confirmed-groups.ts';

describe('edit distance', () => {
  it('is one for a letter too many, too few, another, or two in the wrong order', () => {
    for (const slip of [
      'NOSIIG',
      'XNOSIG',
      'NOSIG2',
      'OSIG',
      'NOSI',
      'NSIG',
      'NOSIL',
      'MOSIG',
      'NOISG',
      'ONSIG',
    ])
      equal(isMisspelt(slip, 'NOSIG'), true, slip);
  });

  it('is another for the word itself and for two slips', () => {
    for (const word of ['NOSIG', 'XNOSIL', 'NSG', 'NOIGS', '', 'TEMPO'])
      equal(isMisspelt(word, 'NOSIG'), false, word);
  });

  it('finds the amount only where it is the only one', () => {
    equal(coverFrom('FWE'), 'FEW');
    equal(coverFrom('OV'), 'OVC');
    equal(coverFrom('BNK'), 'BKN');
    equal(coverFrom('B'), undefined);
    equal(coverFrom('CCP'), undefined);
  });
});
