import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const temperature = (group: string) => fieldsOf(group, ['temp_c', 'dewp_c']);

describe('temperature', () => {
  it('gives canonical decimals', () => {
    deepEqual(temperature('12/08'), { temp_c: '12', dewp_c: '8' });
    deepEqual(temperature('M05/M11'), { temp_c: '-5', dewp_c: '-11' });
  });

  it('keeps the sign of M00 (D62)', () => {
    deepEqual(temperature('M00/M00'), { temp_c: '-0', dewp_c: '-0' });
    deepEqual(temperature('00/00'), { temp_c: '0', dewp_c: '0' });
  });

  it('keeps one part where the other is missing, however that is said', () => {
    for (const group of ['27/', '27///', '27/XX', '27/MM', '27/M'])
      deepEqual(temperature(group), { temp_c: '27' });
    deepEqual(temperature('///M05'), { dewp_c: '-5' });
    for (const group of ['/////', 'XX/XX', 'MM/MM', 'M/M', '//']) deepEqual(temperature(group), {});
  });

  it('mends a dew point behind a blank', () =>
    deepEqual(temperature('27/ 23'), { temp_c: '27', dewp_c: '23' }));

  it('lists impossible values and a dew point far above the temperature', () => {
    for (const group of ['99/10', '12/99', 'M95/M99', '10/25', '10/12', '350/04', '1/0', '///47'])
      deepEqual(read(group).unexplained, [group]);
    deepEqual(read('10/11').unexplained, []);
    deepEqual(read('12/08 14/08').unexplained, ['14/08']);
  });
});

const tenths = (groups: string) => fieldsOf(groups, ['temp_c', 'dewp_c'], 'KJFK');
const extremes = (remarks: string, station = 'KJFK') =>
  fieldsOf(`12/08 A2992 RMK ${remarks}`, ['maxt6_c', 'mint6_c', 'maxt24_c', 'mint24_c'], station);

describe('temperatures in tenths', () => {
  it('replace whole degrees within one degree', () => {
    deepEqual(tenths('M01/M10 A2986 RMK AO2 T10061102'), { temp_c: '-0.6', dewp_c: '-10.2' });
    deepEqual(tenths('07/ RMK AO1 T0068'), { temp_c: '6.8' });
    deepEqual(tenths('M00/M00 A2986 RMK AO1 T10021004'), { temp_c: '-0.2', dewp_c: '-0.4' });
  });

  it('are below zero where their sign says so, as in T1000 (FMH-1, 12.7.2.d; D62)', () => {
    deepEqual(tenths('M00/M00 A2986 RMK AO2 T10000000'), { temp_c: '-0', dewp_c: '0' });
    deepEqual(tenths('00/M00 A2986 RMK AO2 T1000'), { temp_c: '-0', dewp_c: '-0' });
    deepEqual(fieldsOf('M00/M01 A2986 RMK AO2 11000 21012', ['maxt6_c', 'mint6_c'], 'KJFK'), {
      maxt6_c: 0,
      mint6_c: -1.2,
    });
  });

  it('give way to the body beyond one degree', () => {
    deepEqual(tenths('31/21 A3000 RMK SLP141 T03500206'), { temp_c: '31', dewp_c: '20.6' });
  });

  it('stand in for a body that gives none', () => {
    deepEqual(tenths('10SM CLR A3000 RMK AO2 T01230045'), { temp_c: '12.3', dewp_c: '4.5' });
  });

  it('are not read from words', () => {
    deepEqual(tenths('12/08 A2992 RMK AO2 TSNO T01 T012X0045'), { temp_c: '12', dewp_c: '8' });
  });

  it('give the extremes of six hours and of the day', () => {
    deepEqual(extremes('AO2 10156 21012 401561012'), {
      maxt6_c: 15.6,
      mint6_c: -1.2,
      maxt24_c: 15.6,
      mint24_c: -1.2,
    });
  });

  it('are not the density or pressure altitude, nor another height in feet', () => {
    for (const height of [
      'DA 10387',
      'D/A 10250',
      'DENALT. 10450',
      'DENSITY ALTITUDE 11020 FT',
      'CIG 10000',
      'SKY 10500 FEET',
    ])
      deepEqual(extremes(`AO2 10156 ${height}`), { maxt6_c: 15.6 }, height);
    deepEqual(extremes('AO2 PA 5021 10156 20044'), { maxt6_c: 15.6, mint6_c: 4.4 });
    deepEqual(extremes('AO2 DA 10387'), {});
  });

  it('are American: the same figures elsewhere mean something else', () => {
    deepEqual(extremes('10156', 'EGLL'), {});
    deepEqual(extremes('AO2 10156', 'ETAR'), { maxt6_c: 15.6 });
    deepEqual(extremes('WIND 0500FT 20012KT', 'ENVA'), {});
  });
});
