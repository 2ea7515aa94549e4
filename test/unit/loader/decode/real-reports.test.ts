import { deepEqual } from 'node:assert/strict';
import type { Decoded } from '../../../../clickhouse/model/fields.ts';
import { decode } from '../../../../loader/decode.ts';

type Case = readonly [raw: string, fields: { readonly [Name in keyof Decoded]?: unknown }];

/** Reports as they were sent; `undefined` is a field that must be absent. */
const PARSED: readonly Case[] = [
  ['METAR XNIL 100800Z 33003KT 7000 NIL SCT018 23/21 Q1008', { nil: undefined, temp_c: '23' }],
  ['LUBL 262130Z AUTO 35009KT 7000 ///150 09/08 Q1018', { clouds: undefined, clouds_unknown: '///150' }],
  ['OAFZ 052350Z AUTO VRB03KT ///015/// 09/06 Q1025', { clouds: undefined, clouds_unknown: '///015' }],
  ['EGVN 141250Z 24008KT 9999 FEW030 12/08 Q1015 NOSIG BLU', { trend: 'NOSIG', colour: 'BLU' }],
  ['OPKC 141250Z 24008KT 9999 FEW030 12/08 Q1015 NOSIG RH85', { trend: 'NOSIG' }],
  [
    'MHTG 141250Z 24008KT 9999 FEW030 12/08 Q1015 NOSIG CB NNE/NE',
    { trend: 'NOSIG', clouds: layers('FEW', 3000) },
  ],
  ['UUYY 141250Z 24008MPS 9999 NSC 12/08 Q1015 NOSIG 01CLRD61', { trend: 'NOSIG', rwy_state: '01CLRD61' }],
  ['EGVN 141250Z 24008KT 9999 FEW030 12/08 Q1015 NOSIG BECMG 3000', { trend: 'NOSIG BECMG 3000' }],
  ['LIRP 141255Z 24008KT 4000 BR 12/11 Q1015 RMK OVC VIS MIN 2000 AMB', { colour: 'AMB' }],
  ['LKCV 262100Z 28005KT 8000 SCT008 14/14 Q1023 NOSIG RMK WHT WHT', { colour: 'WHT WHT' }],
  ['KSKX 091200Z 29015KT 10SM CLR 00/M16 A2994 RMK AO2 FZRANO BLU', { colour: undefined }],
  [
    'MGGT 141250Z 24008KT CAVOK 28/16 FEW100 SCT250',
    { cavok: true, fltcat: 'VFR', clouds: layers('FEW', 10_000, 'SCT', 25_000) },
  ],
  ['TNCM 141250Z 00903KT 9999 FEW420 28/22 Q1013', { wdir: 9, clouds: layers('FEW', 42_000) }],
  [
    'DNAA 141250Z 24008KT 3000SW FEW020 28/22 Q1013',
    { visib_m: 3000, visib_min_m: 3000, visib_min_dir: 'SW' },
  ],
  ['DNAA 141250Z 24008KT 9000SW 4000N 28/22 Q1013', { visib_m: 9000, visib_min_m: 4000, visib_min_dir: 'N' }],
  ['LIMC 141250Z /////G25KT 9999 FEW020 28/22 Q1013', { wdir: undefined, wspd_kt: undefined, wgst_kt: 25 }],
  ['OPKC 141250Z VRB02G02KT 9999 FEW020 28/22 Q1013', { wdir_vrb: true, wspd_kt: 2, wgst_kt: undefined }],
  ['TNCM 141250Z 24064G102KT 0800 +SHRA BKN010 25/24 Q0915', { altim_hpa: 915 }],
  ['MSSS 061750Z 35016KT CAVOK 26/16 Q1019 G20KT', { wgst_kt: 20 }],
  ['TOMS 191100Z 04006KT 350V070 CAVOK 34/21 U1008 NOSIG', { altim_hpa: 1008 }],
  ['VOHY 041140Z 04010KT 3000 HZ/DZ SCT015 19/17 Q1016 NOSIG', { wx: 'HZ DZ' }],
  ['FQMA 060000Z 31004KT 9999 - BKN020 23/21 Q1011 NOSIG', { visib_m: 10_000 }],
  ['OODQ 211800Z NL', { nil: true }],
];

/** Reports made after the form of real ones: what has a slip is certain by another group, or by a rule of the code. */
const CERTAIN: readonly Case[] = [
  ['SKBO 121200Z 0000KT 9999 SCT025 18/11 A3024', { wdir: 0, wspd_kt: 0 }],
  ['OPQT 121200Z 000P0KTS 5000 HZ FEW120 08/02 Y1021.4', { wspd_kt: 0, altim_hpa: 1021.4 }],
  ['OIAW 121230Z 00000KT 8000 SKC 27/04 Q1015 A?998', { altim_hpa: 1015, altim_inhg: 29.98 }],
  ['OMAA 121200Z 31006KT CAVOK 29/14 Q100? A2980', { altim_hpa: 1009, altim_inhg: 29.8 }],
  ['OIFM 121200Z 09004KT CAVOK 22/08 Q1018 A30072', { altim_hpa: 1018, altim_inhg: 30.07 }],
  ['OTHH 121200Z 33012KT CAVOK 31/20 Q5012 NOSIG', { altim_hpa: 1012 }],
  ['KBFI 121253Z AUTO 18005KT 21/I02 A3005 RMK AO2 T02111022', { temp_c: '21.1', dewp_c: '-2.2' }],
  ['KDAG 121256Z 27009KT 10SM SKC 35/M04 AM RMK SLP/// T03501044', { altim_hpa: undefined }],
  ['KSQL 121247Z UNAVAILKT 10SM CLR RMK WIND/ TEMP/ ALT UNAVAIL', { wspd_kt: undefined }],
  ['K2G4 121239Z 25011PG18KT 10SM CLR 20/12 A3002', { wspd_kt: 11, wgst_kt: 18 }],
  ['KDOV 121257R AUTO 24014CT SQ A2988 RMK AO2', { wspd_kt: 14 }],
  ['OIBB 121250Z 30008G19KT89999 SCT030 26/12 Q1009 A2980', { wspd_kt: 8, visib_m: 10_000 }],
  ['LTAC 121220Z 24005KT 9999 FEW030 07/02 Q1012 R034///92', { rwy_state: 'R03/4///92' }],
  ["OEJN 121200Z 32009KT 7000 ='(", { visib_m: 7000 }],
];

const UNEXPLAINED: readonly (readonly [raw: string, tokens: readonly string[], Case[1]])[] = [
  ['WAHH 260800Z 210097KT 7000 SCT018 31/22 Q1008', ['210097KT'], { wspd_kt: undefined, wdir: undefined }],
  ['WIDT 260800Z 160089KT 7000 SCT018 31/22 Q1008', ['160089KT'], { wspd_kt: undefined, wdir: undefined }],
  ['KPAO 251447Z VRB047KT 10SM OVC020 13/08 A2989', ['VRB047KT'], { wspd_kt: undefined }],
  [
    'LTDA 141750Z 25018KT CAVOK 33/19 Q1006 NOSIG 24010KT FOO',
    ['24010KT', 'FOO'],
    { trend: 'NOSIG', wdir: 250 },
  ],
  ['EGLL 141250Z 24004KT 9999 FEW030 12/08 Q0905', ['Q0905'], {}],
  ['EGLL 141250Z 24004KT 0300 FG VV100 12/12 Q1005', ['VV100'], {}],
  ['KJFK 141250Z 07007G130KT 10SM CLR 12/08 A2992', ['07007G130KT'], {}],
  ['SPQT 180731Z 040009KT 1000 +SHRA BKN005 24/23 Q1010', ['040009KT'], {}],
  ['EHSA 262055Z AUTO 17004G04KT 9999 18/14 Q1026', ['17004G04KT'], {}],
];

function layers(...parts: readonly (string | number)[]): Decoded['clouds'] {
  const list = [];
  for (let at = 0; at < parts.length; at += 2) list.push({ cover: parts[at], base_ft: parts[at + 1] });
  return list as Decoded['clouds'];
}

const partOf = (fields: Decoded, names: Case[1]) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, fields[name as keyof Decoded]]));

describe('real reports', () => {
  for (const [raw, expected] of PARSED)
    it(`parses ${raw}`, () => {
      const { fields, unexplained } = decode(raw);
      deepEqual([partOf(fields, expected), unexplained], [expected, []]);
    });

  for (const [raw, expected] of CERTAIN)
    it(`reads what is certain of ${raw}`, () => {
      const { fields, unexplained } = decode(raw);
      deepEqual([partOf(fields, expected), unexplained], [expected, []]);
    });

  for (const [raw, tokens, expected] of UNEXPLAINED)
    it(`does not explain ${tokens.join(' ')} in ${raw}`, () => {
      const { fields, unexplained } = decode(raw);
      deepEqual([partOf(fields, expected), unexplained], [expected, tokens]);
    });
});
