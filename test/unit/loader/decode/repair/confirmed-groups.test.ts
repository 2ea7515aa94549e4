import { equal } from 'node:assert/strict';
import { isMisspelt } from '../../../../../loader/decode/repair/confirmed-groups.ts';
import { read } from '../read.ts';

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
    const coverOf = (letters: string) => read(`${letters}026`).fields.clouds?.[0]?.cover;
    equal(coverOf('FWE'), 'FEW');
    equal(coverOf('OV'), 'OVC');
    equal(coverOf('BNK'), 'BKN');
    equal(coverOf('B'), undefined);
    equal(coverOf('CCP'), undefined);
  });
});
