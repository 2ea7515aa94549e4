import { deepEqual } from 'node:assert/strict';
import { tokensOf } from '../../../../loader/decode/tokens.ts';

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

  it('keep what follows an equals sign', () => deepEqual(tokensOf('Q1012=3D'), ['Q1012', '3D']));
});
