import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const shear = (group: string) => fieldsOf(`12/08 Q1013 ${group} NOSIG`, ['ws', 'trend']);

describe('wind shear', () => {
  it('is kept as sent, in all its forms', () => {
    for (const ws of [
      'WS R03',
      'WS R27L',
      'WS ALL RWY',
      'WS TKOF RWY27',
      'WS LDG RWY03',
      'WS RWY32R',
      'WS RWY/07',
      'WS RWYB',
      'WS RWYS',
      'WS RWYO',
      'LLWS',
    ]) {
      deepEqual(shear(ws), { ws, trend: 'NOSIG' });
    }
  });

  it('is joined where it is given for several runways', () =>
    deepEqual(shear('WS R03 WS R21'), { ws: 'WS R03 WS R21', trend: 'NOSIG' }));

  it('is listed where the runway is none', () => {
    deepEqual(read('12/08 Q1013 WS RWY45').unexplained, ['WS', 'RWY45']);
    deepEqual(read('12/08 Q1013 WS').unexplained, ['WS']);
  });
});
