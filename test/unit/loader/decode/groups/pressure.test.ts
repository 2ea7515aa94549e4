import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const pressure = (groups: string) => fieldsOf(groups, ['altim_hpa', 'altim_inhg']);

describe('pressure', () => {
  it('reads hectopascals as sent', () => {
    deepEqual(pressure('Q1013'), { altim_hpa: 1013 });
    deepEqual(pressure('Q0987'), { altim_hpa: 987 });
    deepEqual(pressure('Q1018.2'), { altim_hpa: 1018.2 });
  });

  it('turns inches into hectopascals with one decimal', () => {
    deepEqual(pressure('A2992'), { altim_hpa: 1013.2, altim_inhg: 29.92 });
    deepEqual(pressure('A29.88'), { altim_hpa: 1011.9, altim_inhg: 29.88 });
  });

  it('prefers hectopascals where both are sent, in either order', () => {
    deepEqual(pressure('Q1022 A3019'), { altim_hpa: 1022, altim_inhg: 30.19 });
    deepEqual(pressure('A3019 Q1022'), { altim_hpa: 1022, altim_inhg: 30.19 });
  });

  it('gives nothing for a missing pressure', () => {
    for (const group of ['Q////', 'A////', 'Q///']) deepEqual(pressure(group), {});
  });

  it('lists impossible pressures and pressures that disagree', () => {
    for (const group of ['Q1995', 'Q0700', 'A3992', 'A0000', 'Q10110']) {
      deepEqual([read(group).unexplained, read(group).fields.altim_hpa], [[group], undefined]);
    }
    deepEqual(read('Q1013 Q1020').unexplained, ['Q1020']);
    deepEqual(read('Q1013 A2943').unexplained, ['A2943']);
  });
});
