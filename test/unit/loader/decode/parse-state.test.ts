import { deepEqual } from 'node:assert/strict';
import { tokensOf } from '../../../../loader/decode/parse-state.ts';

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
