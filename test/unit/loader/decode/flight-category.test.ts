import { deepEqual } from 'node:assert/strict';
import { read } from './read.ts';

const category = (groups: string) => read(groups).fields.fltcat;

describe('flight category (D56)', () => {
  it('is the worse of ceiling and visibility', () => {
    deepEqual(category('10SM BKN035'), 'VFR');
    deepEqual(category('10SM BKN030'), 'MVFR');
    deepEqual(category('5SM SCT005'), 'MVFR');
    deepEqual(category('10SM OVC009'), 'IFR');
    deepEqual(category('2SM CLR'), 'IFR');
    deepEqual(category('10SM OVC004'), 'LIFR');
    deepEqual(category('3/4SM CLR'), 'LIFR');
    deepEqual([category('M1/4SM CLR'), category('1SM CLR')], ['LIFR', 'IFR']);
    deepEqual(category('9999 VV002'), 'LIFR');
    deepEqual(category('CAVOK'), 'VFR');
  });

  it('is absent where ceiling or visibility are unknown', () => {
    for (const groups of ['10SM', 'BKN010', '//// BKN010', '9999 BKN///', '9999 VV///', '9999 //////'])
      deepEqual(category(groups), undefined);
  });

  it('follows from one of the two where the other could only make it worse, which nothing is', () => {
    for (const groups of [
      '0150 FG VV///',
      '1/2SM FG',
      '//// OVC004',
      'VV003',
      '0800 ///015',
      '9999 OVC002 BKN///',
    ])
      deepEqual(category(groups), 'LIFR', groups);
  });

  it('takes the lower one of a layer and the vertical visibility', () => {
    deepEqual(category('1 1/2SM -DZ OVC002 VV200'), 'LIFR');
    deepEqual(category('10SM BKN007 VV012'), 'IFR');
  });

  it('is absent where a layer of unknown amount is lower than the known ceiling', () => {
    for (const groups of ['9999 ///015', '9999 FEW010 ///015', '9999 ///005 BKN010'])
      deepEqual(category(groups), undefined, groups);
    deepEqual(category('9999 BKN010 ///030 ///015'), 'MVFR');
  });
});
