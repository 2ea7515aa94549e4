import { deepEqual, equal } from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { LIMITS } from '../../../../loader/decode/limits.ts';
import { fieldsOf, read } from './read.ts';

/** The highest or lowest that is read, and one step beyond it, which is listed. */
const BODY: readonly (readonly [within: string, beyond: string, station?: string])[] = [
  ['57/20', '58/20'],
  ['M89/M89', 'M90/M90'],
  ['40/36', '40/37'],
  ['10/11', '10/12'],
  ['24099KT', '240100KT'],
  ['24049MPS', '24050MPS'],
  ['240163G220KT', '240164G220KT', 'KMWN'],
  ['240163G220KT', '240163G221KT', 'KMWN'],
  ['95SM', '96SM', 'KMWN'],
  ['300KM', '301KM'],
  ['FEW500', 'FEW501'],
  ['FEW200CB', 'FEW201CB'],
  ['VV500', 'VV501'],
  ['R36/0400', 'R37/0400'],
  ['R27/0025', 'R27/0024'],
  ['R27/4000', 'R27/4001'],
  ['R27/6500FT', 'R27/6600FT'],
  ['Q0870', 'Q0869'],
  ['Q1085', 'Q1086'],
  ['A2570', 'A2568'],
  ['A3204', 'A3205'],
  ['QFE1085', 'QFE1086'],
];

const REMARKS: readonly (readonly [within: string, beyond: string])[] = [
  ['PK WND 240220/30', 'PK WND 240221/30'],
  ['PK WND 36047/30', 'PK WND 00047/30'],
  ['P1200', 'P1201'],
  ['64500', '64501'],
  ['77200', '77201'],
  ['4/466', '4/467'],
  ['SNINCR 12/20', 'SNINCR 13/20'],
  ['GR 8', 'GR 8 1/4'],
  ['I1800', 'I1801'],
  ['52300', '52301'],
];

describe('limits', () => {
  it('are those of docs/guide/decoded-fields.md, row by row, with unit and source', () => {
    const guide = readFileSync(new URL('../../../../docs/guide/decoded-fields.md', import.meta.url), 'utf8');
    const rows = [...guide.matchAll(/^\| [^|]+ \| (\S+ to \S+) \| [^|]+ \| [^|]{20,} \|$/gm)].map(
      ([, row]) => row,
    );
    deepEqual(
      rows,
      Object.values(LIMITS).map(({ lowest, highest }) => `${lowest} to ${highest}`),
    );
  });

  it('include the most extreme value of the body and list the next (D84)', () => {
    for (const [within, beyond, station] of BODY) {
      deepEqual(read(within, station).unexplained, [], within);
      deepEqual(read(beyond, station).unexplained, [beyond], beyond);
    }
  });

  it('include the most extreme value of the remarks and leave the next out', () => {
    const names = (remark: string) =>
      Object.keys(read(`24034KT 12/08 A2992 RMK AO2 ${remark}`, 'KJFK').fields);
    const without = names('').length;
    for (const [within, beyond] of REMARKS) {
      equal(names(within).length > without, true, within);
      equal(names(beyond).length, without, beyond);
    }
  });

  it('leave out a sea-level pressure far from the altimeter', () => {
    const pressure = (slp: string) => fieldsOf(`12/08 A3012 RMK AO2 ${slp}`, ['slp_hpa'], 'KBKB');
    deepEqual(pressure('SLP499'), { slp_hpa: 1049.9 });
    deepEqual(pressure('SLP510'), {});
  });

  it('keep the body where the tenths of the temperature alone fall below the dew point', () => {
    deepEqual(fieldsOf('10/11 A2992 RMK AO1 T0092', ['temp_c', 'dewp_c'], 'KJFK'), {
      temp_c: '10',
      dewp_c: '11',
    });
  });

  it('keep the body where the tenths give a dew point above the temperature', () => {
    deepEqual(fieldsOf('10/11 A2992 RMK AO2 T00920118', ['temp_c', 'dewp_c'], 'KJFK'), {
      temp_c: '10',
      dewp_c: '11',
    });
  });
});
