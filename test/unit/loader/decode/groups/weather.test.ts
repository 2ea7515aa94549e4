import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const weather = (groups: string) => fieldsOf(groups, ['wx', 'rewx']);

describe('weather', () => {
  it('keeps present weather as sent, in order', () => {
    deepEqual(weather('-RA BR'), { wx: '-RA BR' });
    deepEqual(weather('+TSRAGR FZFG'), { wx: '+TSRAGR FZFG' });
    for (const group of [
      '-SHRASN',
      'VCTS',
      'VCSH',
      '+FC',
      'UP',
      'SHUP',
      '-FZUP',
      'BLSN',
      'PRFG',
      'TS',
      'MIFG',
      '-FZRAPL',
    ]) {
      deepEqual(weather(group), { wx: group });
    }
  });

  it('gives nothing for missing weather and for the end of significant weather', () => {
    deepEqual(weather('//'), {});
    deepEqual(weather('NSW'), {});
  });

  it('keeps recent weather without its RE', () => {
    deepEqual(weather('9999 12/08 Q1013 RERA RETS'), { rewx: 'RA TS' });
    deepEqual(weather('9999 12/08 Q1013 REDZRA'), { rewx: 'DZRA' });
    deepEqual(weather('9999 12/08 Q1013 RE//'), {});
  });

  it('takes weather behind the pressure for present weather', () => {
    deepEqual(weather('10SM 12/08 A2992 -RA BR'), { wx: '-RA BR' });
  });

  it('lists weather under CAVOK', () => deepEqual(read('CAVOK -RA 12/08').unexplained, ['-RA']));

  it('lists what is no weather', () => {
    for (const group of ['RARA', 'RATS', 'MI', 'XX', '-RAX', 'BRVC', 'RASNGRGSPLSG']) {
      deepEqual(read(group).unexplained, [group]);
    }
  });
});
