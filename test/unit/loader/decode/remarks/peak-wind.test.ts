import { deepEqual } from 'node:assert/strict';
import { decode } from '../../../../../loader/decode.ts';

const peak = (remark: string, time = '141253Z') => {
  const { pk_wdir, pk_wspd_kt, pk_time } = decode(
    `KJFK ${time} 27015G25KT 10SM CLR 12/08 A2992 RMK AO2 ${remark}`,
  ).fields;
  return [pk_wdir, pk_wspd_kt, pk_time];
};

describe('peak wind', () => {
  it('is read with hour and minute', () => {
    deepEqual(peak('PK WND 29032/1226'), [290, 32, '1226']);
    deepEqual(peak('PK WND 290104/1226'), [290, 104, '1226']);
    deepEqual(peak('PKWND 29032/1226'), [290, 32, '1226']);
  });

  it('takes the hour from the report where only minutes are given', () => {
    deepEqual(peak('PK WND 29032/26'), [290, 32, '1226']);
    deepEqual(peak('PK WND 29032/58'), [290, 32, '1158']);
    deepEqual(peak('PK WND 29032/58', '140010Z'), [290, 32, '2358']);
  });

  it('is left out where it cannot be', () => {
    for (const remark of [
      'PK WND',
      'PK WND 37032/26',
      'PK WND 29032/2561',
      'PK WND 29032/126',
      'PK 29032/26',
    ]) {
      deepEqual(peak(remark), [undefined, undefined, undefined]);
    }
  });
});
