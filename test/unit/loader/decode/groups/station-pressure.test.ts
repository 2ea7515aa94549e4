import { deepEqual } from 'node:assert/strict';
import { fieldsOf, read } from '../read.ts';

const qfe = (groups: string, station: string) => fieldsOf(groups, ['qfe_hpa'], station).qfe_hpa;

describe('station pressure', () => {
  it('turns the millimetres of the former Soviet Union and Mongolia into hectopascals', () => {
    deepEqual(qfe('05/02 Q1020 NOSIG RMK QFE747', 'UNAA'), 995.9);
    deepEqual(qfe('05/02 Q1020 NOSIG RMK QFE651.2 58', 'ZMUB'), 868.2);
  });

  it('takes the hectopascals where both are sent', () => {
    deepEqual(qfe('05/02 Q1020 RMK QFE753/1005', 'UWWW'), 1005);
    deepEqual(qfe('05/02 Q1020 RMK QFE734/0979', 'UUEE'), 979);
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
