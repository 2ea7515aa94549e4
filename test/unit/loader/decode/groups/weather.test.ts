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
    ])
      deepEqual(weather(group), { wx: group });
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

  it('takes a sign and a blank before it for its intensity', () => {
    deepEqual(weather('3000 - TSRA BR SCT020'), { wx: '-TSRA BR' });
    deepEqual(weather('3000 BR + SHSN SCT020'), { wx: 'BR +SHSN' });
    deepEqual(weather('9999 - SCT020'), {});
    deepEqual(fieldsOf('31007KT M TS SCT020', ['wx'], 'KJFK'), { wx: 'TS' });
    deepEqual(read('9999 + SCT020').unexplained, ['+']);
    deepEqual(weather('9999 FEW020CB 25/21 Q1010 CB TO N + RA'), {});
  });

  it('lists weather under CAVOK', () => deepEqual(read('CAVOK -RA 12/08').unexplained, ['-RA']));

  it('lists what is no weather', () => {
    for (const group of ['RARA', 'RADZSH', 'MI', 'XX', '-RAX', 'BRVC', 'RASNGRGSPLSG'])
      deepEqual(read(group).unexplained, [group]);
  });
});
