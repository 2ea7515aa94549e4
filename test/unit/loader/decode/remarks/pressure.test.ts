import { deepEqual, equal } from 'node:assert/strict';
import { fieldsOf } from '../read.ts';

const sea = (groups: string) => fieldsOf(groups, ['slp_hpa'], 'KJFK').slp_hpa;
const tendency = (group: string) => fieldsOf(`A2992 RMK AO2 ${group}`, ['ptend', 'ptend_hpa'], 'KJFK');

describe('pressure in remarks', () => {
  it('takes the sea-level pressure nearest to the altimeter', () => {
    equal(sea('A2908 RMK AO2 SLP849'), 984.9);
    equal(sea('A3100 RMK AO2 SLP500'), 1050);
    equal(sea('A2950 RMK AO2 SLP990'), 999);
    equal(sea('A2953 RMK AO2 SLP001'), 1000.1);
    equal(sea('RMK AO2 SLP132'), 1013.2);
    equal(sea('A2992 RMK SLP 125'), 1012.5);
    equal(sea('28/18 A3001 SLP162'), 1016.2);
  });

  it('reads none that is not available or cannot be', () => {
    equal(sea('A2992 RMK AO2 SLPNO'), undefined);
    equal(sea('A3009 RMK AO2 SLP645'), undefined);
    equal(sea('6SM SLP105 12/02 A3105 RMK SLP105'), undefined);
    equal(sea('6SM SLP105 12/02 A2990 RMK SLP105'), 1010.5);
  });

  it('signs the tendency by its characteristic', () => {
    deepEqual(tendency('52032'), { ptend: 2, ptend_hpa: 3.2 });
    deepEqual(tendency('58012'), { ptend: 8, ptend_hpa: -1.2 });
    deepEqual(tendency('55000'), { ptend: 5, ptend_hpa: 0 });
    deepEqual(tendency('54000'), { ptend: 4, ptend_hpa: 0 });
    deepEqual(tendency('59012'), {});
    deepEqual(tendency('5////'), {});
  });

  it('takes inches repeated behind hectopascals, where they agree', () => {
    const inches = (remark: string) =>
      fieldsOf(`12/08 Q1013 RMK 1CU030 ${remark}`, ['altim_hpa', 'altim_inhg'], 'RJTT');
    deepEqual(inches('A2992'), { altim_hpa: 1013, altim_inhg: 29.92 });
    deepEqual(inches('A2942'), { altim_hpa: 1013 });
  });
});
