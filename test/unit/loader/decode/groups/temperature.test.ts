import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const temperature = (group: string) => fieldsOf(group, ['temp_c', 'dewp_c']);

describe('temperature', () => {
  it('gives canonical decimals', () => {
    deepEqual(temperature('12/08'), { temp_c: '12', dewp_c: '8' });
    deepEqual(temperature('M05/M11'), { temp_c: '-5', dewp_c: '-11' });
  });

  it('knows no negative zero', () => deepEqual(temperature('M00/M00'), { temp_c: '0', dewp_c: '0' }));

  it('keeps one part where the other is missing, however that is said', () => {
    for (const group of ['27/', '27///', '27/XX', '27/MM', '27/M'])
      deepEqual(temperature(group), { temp_c: '27' });
    deepEqual(temperature('///M05'), { dewp_c: '-5' });
    for (const group of ['/////', 'XX/XX', 'MM/MM', 'M/M', '//']) deepEqual(temperature(group), {});
  });

  it('mends a dew point behind a blank', () =>
    deepEqual(temperature('27/ 23'), { temp_c: '27', dewp_c: '23' }));

  it('lists impossible values and a dew point far above the temperature', () => {
    for (const group of ['99/10', '12/99', 'M95/M99', '10/25', '10/12', '350/04', '1/0', '///47']) {
      deepEqual(read(group).unexplained, [group]);
    }
    deepEqual(read('10/11').unexplained, []);
    deepEqual(read('12/08 14/08').unexplained, ['14/08']);
  });
});
