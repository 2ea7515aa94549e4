import { deepEqual, equal } from 'node:assert/strict';
import { decode } from '../../../../../loader/decode.ts';
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
    for (const group of ['Q1995', 'Q0700', 'A3992', 'A0000', 'Q10110'])
      deepEqual([read(group).unexplained, read(group).fields.altim_hpa], [[group], undefined]);
    deepEqual(read('Q1013 Q1020').unexplained, ['Q1020']);
    deepEqual(read('Q1013 A2943').unexplained, ['A2943']);
  });
});

describe('pressure in both units, or with its unit', () => {
  const both = { altim_hpa: 1017, altim_inhg: 30.04 };

  it('reads hectopascals and inches with a solidus between', () => {
    for (const group of [
      'Q1017/A30.04',
      'Q1017/3004',
      '1017/30.04',
      '1017/3004',
      'QNH1017HPA/A3004INS',
      'A3004/Q1017',
    ])
      deepEqual(pressure(`25/18 ${group}`), both, group);
    deepEqual(pressure('25/18 Q1017.3/A30.04'), { altim_hpa: 1017.3, altim_inhg: 30.04 });
    deepEqual(pressure('Q1017/3004 25/18'), both);
    deepEqual(read('1017/3004 25/18').unexplained, ['1017/3004']);
    deepEqual(read('25/18 Q1017/2904').unexplained, ['A2904']);
  });

  it('reads the value before or after its name and unit, and takes the unit from its size', () => {
    for (const groups of [
      'Q1017HPA',
      'Q1017MB',
      'QNH 1017 HPA',
      'QNH1017HPA',
      'QNH 1017',
      '1017HPA',
      'Q1017 HPA',
    ])
      deepEqual(pressure(`25/18 ${groups}`), { altim_hpa: 1017 }, groups);
    for (const groups of [
      'A2971INS',
      'A2971IN',
      'A29.71INS',
      'QNH2971',
      'QNH 2971',
      'QNH 29.71',
      'QNH2971INS',
      '2971INS',
    ])
      deepEqual(pressure(`25/18 ${groups}`), { altim_hpa: 1006.1, altim_inhg: 29.71 }, groups);
    for (const group of ['A1017', 'QNH1995', '1995HPA', 'A297'])
      deepEqual(read(`25/18 ${group}`).unexplained, [group]);
  });
});

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

  it('takes 450 to 599 without an altimeter for a high, and leaves them out in a storm', () => {
    const far = (slp: string, wind = '31006KT') =>
      fieldsOf(`${wind} M31/M35 RMK AO1 ${slp}`, ['slp_hpa'], 'CWVQ').slp_hpa;
    deepEqual([far('SLP450'), far('SLP523'), far('SLP599')], [1045, 1052.3, 1059.9]);
    deepEqual([far('SLP449'), far('SLP610'), far('SLP988')], [1044.9, 961, 998.8]);
    deepEqual([far('SLP523', '31022G41KT'), far('PK WND 31044/1231 SLP523')], [undefined, undefined]);
    deepEqual(sea('31022G41KT A2810 RMK AO2 SLP523'), 952.3);
  });

  it('takes appp of a Canadian automatic station for the tendency, and 50RRR for an amount', () => {
    const canadian = (remarks: string, time = '141200Z', type = 'AO1') => {
      const { ptend, ptend_hpa, pcp6h_in } = decode(
        `CWXL ${time} AUTO 21004KT 06/05 RMK ${type} ${remarks}`,
      ).fields;
      return [ptend, ptend_hpa, pcp6h_in];
    };
    deepEqual(canadian('3PAST HR 7024 SLP118 P0007 T00620051 50061'), [7, -2.4, 0.24]);
    deepEqual(canadian('2031 PK WND 21031/1142 SLP118 T00620051'), [2, 3.1, undefined]);
    deepEqual(canadian('SOG 12 5006 T00620051'), [5, -0.6, undefined]);
    deepEqual(canadian('M P0007 T00620051 50061'), [undefined, undefined, 0.24]);
    deepEqual(canadian('013 SLP118 T00620051 50061'), [undefined, undefined, 0.24]);
    // 50RRR counts from the last main synoptic hour.
    deepEqual(canadian('3PAST HR 7024 SLP118 P0007 T00620051 50061', '141000Z'), [7, -2.4, undefined]);
    deepEqual(canadian('SLP118 T00620051 58014'), [8, -1.4, undefined]);
    deepEqual(canadian('SOG 104 SLP118 T00620051 53012'), [3, 1.2, undefined]);
    deepEqual(canadian('7024 SLP118 T00620051 53012', '141200Z', 'AO2'), [3, 1.2, undefined]);
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

const qfe = (groups: string, station: string) => fieldsOf(groups, ['qfe_hpa'], station).qfe_hpa;

describe('station pressure', () => {
  it('turns the millimeters of the former Soviet Union and Mongolia into hectopascals', () => {
    deepEqual(qfe('05/02 Q1020 NOSIG RMK QFE747', 'UNAA'), 995.9);
    deepEqual(qfe('05/02 Q1020 NOSIG RMK QFE651.2 58', 'ZMUB'), 868.2);
  });

  it('keeps tenths after a comma, which divides tokens', () => {
    deepEqual(qfe('05/02 Q1020 RMK QFE738,2', 'UUBW'), 984.2);
    deepEqual(qfe('05/02 Q1020 RMK QFE738.2', 'UUBW'), 984.2);
    deepEqual(qfe('05/02 Q1020 RMK QFE738 22////65', 'UUBW'), 983.9);
  });

  it('takes the hectopascals where both are sent', () => {
    for (const group of ['QFE738,2/0984', 'QFE738.2/0984'])
      deepEqual(qfe(`05/02 Q1020 RMK ${group}`, 'UUBW'), 984);
    deepEqual(qfe('05/02 Q1020 RMK QFE753/1005', 'UWWW'), 1005);
    deepEqual(qfe('05/02 Q1020 RMK QFE 734/0979', 'UUEE'), 979);
  });

  it('reads hectopascals in the body', () => {
    deepEqual(qfe('25/21 QFE907.1', 'MGES'), 907.1);
    deepEqual(qfe('31/18 QFE 987.7', 'MGZA'), 987.7);
    deepEqual(qfe('32/23 QFE982/0', 'MGZA'), 982);
    deepEqual(qfe('09/03 Q1021 A3017 872.14', 'OICC'), 872.1);
  });

  it('gives nothing for a missing or impossible one', () => {
    deepEqual(qfe('// Q//// RMK QFE////////', 'URMO'), undefined);
    deepEqual(qfe('05/02 Q1020 RMK QFE120', 'UUEE'), undefined);
    deepEqual(read('09/03 Q1021 1172.14', 'OICC').unexplained, ['1172.14']);
    deepEqual(read('09/03 Q1021 872.14', 'EGLL').unexplained, ['872.14']);
  });
});
