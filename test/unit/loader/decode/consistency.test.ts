import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from './read.ts';

const EXTREMES = ['maxt6_c', 'mint6_c', 'maxt24_c', 'mint24_c'] as const;
const AMOUNTS = ['pcp1h_in', 'pcp6h_in', 'pcp24h_in'] as const;
const remarks = (text: string) => `24010G20KT 12/08 A2992 RMK AO2 ${text}`;

describe('consistency', () => {
  it('lists extremes of the direction that do not include the mean', () => {
    deepEqual(read('30007KT 030V090').unexplained, ['030V090']);
    deepEqual(read('030V090 30007KT').unexplained, ['030V090']);
    for (const wind of ['06007KT 030V090', '36007KT 300V060', '10007KT 030V090', 'VRB03KT 200V280'])
      deepEqual(read(wind).unexplained, []);
  });

  it('lists extremes that are equal, or beside a calm wind, and reads the whole circle', () => {
    deepEqual(read('24007KT 240V240').unexplained, ['240V240']);
    deepEqual(read('00000KT 200V280').unexplained, ['200V280']);
    deepEqual(read('33004KT 000V360').unexplained, []);
  });

  it('leaves out a pressure at sea level far from the altimeter, also from one that follows', () => {
    const text = '18010KT 10SM CLR 15/10 A2950 SLP289';
    deepEqual(fieldsOf(text, ['slp_hpa'], 'KJFK'), { slp_hpa: 1028.9 });
    deepEqual(fieldsOf(`${text} Q0998`, ['slp_hpa'], 'KJFK'), {});
  });

  it('leaves out a peak wind below the gust', () => {
    deepEqual(fieldsOf(remarks('PK WND 24019/1126'), ['pk_wspd_kt'], 'KJFK'), { pk_wspd_kt: 19 });
    deepEqual(fieldsOf(remarks('PK WND 24018/1126'), ['pk_wdir', 'pk_wspd_kt', 'pk_time'], 'KJFK'), {});
  });

  it('leaves out extremes that do not include the temperature, or one another', () => {
    deepEqual(fieldsOf(remarks('10130 20110'), EXTREMES, 'KJFK'), { maxt6_c: 13, mint6_c: 11 });
    deepEqual(fieldsOf(remarks('10109 20090'), EXTREMES, 'KJFK'), { mint6_c: 9 });
    deepEqual(fieldsOf(remarks('10130 20131'), EXTREMES, 'KJFK'), { maxt6_c: 13 });
    deepEqual(fieldsOf(remarks('10120 20125'), EXTREMES, 'KJFK'), {});
    deepEqual(fieldsOf(remarks('400700142'), EXTREMES, 'KJFK'), {});
    deepEqual(fieldsOf(remarks('10130 20110 401290100'), EXTREMES, 'KJFK'), { mint6_c: 11, mint24_c: 10 });
    deepEqual(fieldsOf(remarks('10130 20110 400500020'), EXTREMES, 'KJFK'), { maxt6_c: 13, mint6_c: 11 });
  });

  it('leaves out amounts of a longer period below those of a shorter one', () => {
    deepEqual(fieldsOf(remarks('P0005 60010 70020'), AMOUNTS, 'KJFK'), {
      pcp1h_in: 0.05,
      pcp6h_in: 0.1,
      pcp24h_in: 0.2,
    });
    deepEqual(fieldsOf(remarks('P0015 60010'), AMOUNTS, 'KJFK'), {});
    deepEqual(fieldsOf(remarks('60030 70020'), AMOUNTS, 'KJFK'), {});
    deepEqual(fieldsOf(remarks('P0015 60010 70020'), AMOUNTS, 'KJFK'), { pcp24h_in: 0.2 });
  });
});
