import { deepEqual } from 'node:assert/strict';
import { read } from './read.ts';

const category = (groups: string) => read(groups).fields.fltcat;

describe('flight category', () => {
  it('is the worse of ceiling and visibility', () => {
    deepEqual(category('10SM BKN035'), 'VFR');
    deepEqual(category('10SM BKN030'), 'MVFR');
    deepEqual(category('5SM SCT005'), 'MVFR');
    deepEqual(category('10SM OVC009'), 'IFR');
    deepEqual(category('2SM CLR'), 'IFR');
    deepEqual(category('10SM OVC004'), 'LIFR');
    deepEqual(category('3/4SM CLR'), 'LIFR');
    deepEqual(category('9999 VV002'), 'LIFR');
    deepEqual(category('CAVOK'), 'VFR');
  });

  it('is absent where ceiling or visibility are unknown', () => {
    for (const groups of ['10SM', 'BKN010', '//// BKN010', '9999 BKN///', '9999 VV///', '9999 //////']) {
      deepEqual(category(groups), undefined);
    }
  });

  it('is absent where a layer of unknown amount is lower than the known ceiling', () => {
    for (const groups of ['9999 ///015', '9999 FEW010 ///015', '9999 ///005 BKN010'])
      deepEqual(category(groups), undefined, groups);
    deepEqual(category('9999 BKN010 ///030 ///015'), 'MVFR');
  });
});
