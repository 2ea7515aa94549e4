import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const NAMES = ['visib_m', 'visib_sm', 'visib_mod', 'visib_min_m', 'visib_min_dir', 'cavok'] as const;
const visibility = (groups: string) => {
  const { cavok, ...given } = fieldsOf(groups, NAMES);
  return cavok ? { cavok, ...given } : given;
};

describe('visibility', () => {
  it('reads meters, and takes 9999 for 10 km', () => {
    deepEqual(visibility('0350'), { visib_m: 350 });
    deepEqual(visibility('0000'), { visib_m: 0 });
    deepEqual(visibility('9999'), { visib_m: 10_000 });
    deepEqual(visibility('4500NDV'), { visib_m: 4500 });
    deepEqual(visibility('9999 NDV'), { visib_m: 10_000 });
  });

  it('reads the lowest visibility, with a direction and without', () => {
    deepEqual(visibility('9999 2000SW'), { visib_m: 10_000, visib_min_m: 2000, visib_min_dir: 'SW' });
    deepEqual(visibility('4300 0900'), { visib_m: 4300, visib_min_m: 900 });
    deepEqual(visibility('0800 0200//'), { visib_m: 800, visib_min_m: 200 });
  });

  it('takes a visibility with a direction for the prevailing one too where no other is given', () => {
    const alone = { visib_m: 6000, visib_min_m: 6000, visib_min_dir: 'E' };
    deepEqual(visibility('6000E'), alone);
    deepEqual(visibility('6000E 9999N'), alone);
  });

  it('takes a visibility with a direction after solidi only for the lowest', () => {
    deepEqual(visibility('//// 0700SE'), { visib_min_m: 700, visib_min_dir: 'SE' });
    deepEqual(visibility('//// 0700'), { visib_m: 700 });
  });

  it('reads the west of Romance languages where it has no other meaning', () => {
    const lowest = (group: string, station: string) =>
      fieldsOf(`4000 ${group}`, ['visib_min_m', 'visib_min_dir'], station);
    deepEqual(lowest('0800SO', 'LFBD'), { visib_min_m: 800, visib_min_dir: 'SW' });
    deepEqual(lowest('1500O', 'SKBO'), { visib_min_m: 1500, visib_min_dir: 'W' });
    deepEqual(read('4000 0800NO', 'LOWI').unexplained, ['0800NO']);
  });

  it('reads statute miles as sent and in meters', () => {
    deepEqual(visibility('10SM'), { visib_m: 16_093, visib_sm: 10 });
    deepEqual(visibility('1/4SM'), { visib_m: 402, visib_sm: 0.25 });
    deepEqual(visibility('2 1/2SM'), { visib_m: 4023, visib_sm: 2.5 });
    deepEqual(visibility('11/2SM'), { visib_m: 2414, visib_sm: 1.5 });
    deepEqual(visibility('11/16SM'), { visib_m: 1106, visib_sm: 0.6875 });
    deepEqual(visibility('2 1/2 SM'), { visib_m: 4023, visib_sm: 2.5 });
  });

  it('marks less than and more than', () => {
    deepEqual(visibility('M1/4SM'), { visib_m: 402, visib_sm: 0.25, visib_mod: 'M' });
    deepEqual(visibility('P6SM'), { visib_m: 9656, visib_sm: 6, visib_mod: 'P' });
    deepEqual(visibility('M0400'), { visib_m: 400, visib_mod: 'M' });
    deepEqual(visibility('P6000'), { visib_m: 6000, visib_mod: 'P' });
  });

  it('reads kilometers', () => deepEqual(visibility('30KM'), { visib_m: 30_000 }));

  it('gives nothing for a missing visibility', () => {
    for (const group of ['////', '////SM', '////NDV']) deepEqual(visibility(group), {});
  });

  it('expands CAVOK', () => {
    deepEqual(visibility('CAVOK'), { cavok: true, visib_m: 10_000 });
    for (const groups of ['9999 CAVOK', 'CAVOK 9999', 'CAVOK 9999 NSC', 'CAVOK 15KM'])
      deepEqual(visibility(groups), { cavok: true, visib_m: 10_000 });
    deepEqual(visibility('CAVOK 10SM'), { cavok: true, visib_m: 10_000, visib_sm: 10 });
  });

  it('lists figures that no step of visibility gives', () => {
    deepEqual(read('2200 BR SKC 1716').unexplained, ['1716']);
    deepEqual(read('6008 003 1/2SM').unexplained, ['6008', '003']);
    deepEqual(visibility('0125'), { visib_m: 125 });
    deepEqual(read('2200 BR 1700').unexplained, ['1700']);
  });

  it('lists what contradicts', () => {
    deepEqual(read('10SM 9999').unexplained, ['9999']);
    deepEqual(read('3000 CAVOK').unexplained, ['CAVOK']);
    for (const group of ['9000', '5SM', 'P6SM']) deepEqual(read(`CAVOK ${group}`).unexplained, [group]);
    deepEqual(read('CAVOK SCT020').unexplained, ['SCT020']);
    deepEqual(read('3/5SM').unexplained, ['3/5SM']);
  });
});
