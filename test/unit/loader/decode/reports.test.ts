import { deepEqual } from 'node:assert/strict';
import type { Decoded } from '../../../../clickhouse/model/fields.ts';
import { decode } from '../../../../loader/decode.ts';

type SomeFields = { readonly [Name in keyof Decoded]?: unknown };

/** A report, the tokens that are listed if there are any, and some of its fields; `undefined` is one that must be absent. */
type Case =
  | readonly [raw: string, expected: readonly string[] | SomeFields]
  | readonly [raw: string, tokens: readonly string[], fields: SomeFields];

/** Reports as they were sent, or made after the form of real ones. */
const KINDS: Readonly<Record<string, readonly Case[]>> = {
  'groups of every country': [
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
    [
      'DNAA 141250Z 24008KT 9000SW 4000N 28/22 Q1013',
      { visib_m: 9000, visib_min_m: 4000, visib_min_dir: 'N' },
    ],
    ['LIMC 141250Z /////G25KT 9999 FEW020 28/22 Q1013', { wdir: undefined, wspd_kt: undefined, wgst_kt: 25 }],
    ['OPKC 141250Z VRB02G02KT 9999 FEW020 28/22 Q1013', { wdir_vrb: true, wspd_kt: 2, wgst_kt: undefined }],
    [
      'TBPB 141200Z 09012KT 5000 R09/P2000 RA BKN020 25/24 Q1014',
      { rvr: [{ rwy: '09', min_m: 2000, mod: 'P' }] },
    ],
    ['TIST 141154Z 09012KT 1/2SM R10/2000 RA BKN020 25/24 A2996', ['R10/2000']],
    ['KBUF 141154Z 25012KT 3SM TSRA BKN020CB 25/24 A2996 RMK AO2 TSE07TSB48', { ts_remark: true }],
    ['TNCM 141250Z 24064G102KT 0800 +SHRA BKN010 25/24 Q0915', { altim_hpa: 915 }],
    ['MSSS 061750Z 35016KT CAVOK 26/16 Q1019 G20KT', { wgst_kt: 20 }],
    ['TOMS 191100Z 04006KT 350V070 CAVOK 34/21 U1008 NOSIG', { altim_hpa: 1008 }],
    ['VOHY 041140Z 04010KT 3000 HZ/DZ SCT015 19/17 Q1016 NOSIG', { wx: 'HZ DZ' }],
    ['FQMA 060000Z 31004KT 9999 - BKN020 23/21 Q1011 NOSIG', { visib_m: 10_000 }],
    ['OODQ 211800Z NL', { nil: true }],
  ],
  'what has a slip is certain by another group, or by a rule of the code': [
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
  ],
  'what no rule explains is listed': [
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
  ],
  'a lone M, dash or KT stands for the next group in order alone': [
    ['ENGM 141150Z 36004KT 9999 SCT020 M 03/M07 Q1002', { temp_c: '-3', dewp_c: '-7' }],
    ['KBUF 141154Z 25012KT 10SM BKN030 M 07/M12 A2996 RMK AO2 T10671122', { temp_c: '-6.7' }],
    ['KBUF 141154Z 25012KT 10SM BKN030 M 07/M12 A2996 RMK AO2 T00671122', ['M']],
    ['KBUF 141154Z AUTO 25012KT 10SM M 07/M02 A2996 RMK AO2 T00671022', { temp_c: '6.7' }],
    ['KBUF 141154Z AUTO 25012KT 10SM M 07/M12 A2996 RMK AO2 T10671122', { temp_c: '-6.7' }],
    ['ENGM 141150Z 36004KT 9999 M 03/M07 Q1002', { temp_c: '-3' }],
    ['CYQX 141150Z AUTO 36004KT 9SM M 03/ A3002', ['M']],
    ['K1AA 141155Z AUTO M M M M M M RMK AO2', { wspd_kt: undefined }],
    ['K1AA 141155Z AUTO 20005KT M 3SM 12/08 A3001', ['M']],
    ['ENGM 141150Z 36004KT 6000 - SCT020 12/07 Q1002', { wx: undefined, wx_missing: true }],
    ['ENGM 141150Z AUTO 36004KT 9999// SCT020 12/07 Q1002', { wx: undefined, wx_missing: true }],
    ['ENGM 141150Z 36004KT 6000 -SH RA VCSH SN SCT020 12/07 Q1002', { wx: '-SHRA VCSH SN' }],
    ['ENGM 141150Z 36004KT 6000 - BR SCT020 12/07 Q1002', ['-']],
    ['ENGM 141150Z 36004KT 6000 - RASCT020 12/07 Q1002', ['-']],
    ['ENGM 141150Z 36004KT 6000 SCT020 - 12/07 Q1002', ['-']],
    ['KBUF 141154Z KT 4SM BR BKN030 07/M02 A2996', { wspd_kt: undefined, temp_c: '7' }],
    ['KBUF 141154Z 4SM KT BR BKN030 07/M02 A2996', ['KT']],
    ['KBUF 141154Z 25012KTM 07/M12 A2996', ['25012KTM']],
  ],
  'a word does not hide a group before the temperature': [
    ['DIAP 141150Z 9999 BKN015 LOW 19007KT 26/23 Q1011', ['LOW']],
    ['DIAP 141150Z 19007KT 9999 BKN015 FBL LOW -RA 26/23 Q1011', ['FBL', 'LOW']],
    ['DIAP 141150Z 9999 BKN015 26/23 Q1011 WIND THR21 19007KT', ['19007KT']],
    ['DIAP 141150Z 19007KT 9999 BKN015CB CB TO N RA 26/23 Q1011', { wx: 'RA' }],
    ['DIAP 141150Z 19007KT 9999 BKN015CB CB TO N RA SW 26/23 Q1011', { wx: undefined }],
  ],
  'less and more than come with miles of certain steps': [
    ['KBUF 141154Z 25002KT M 1/4SM FG VV001 07/07 A2996', { visib_sm: 0.25, visib_mod: 'M' }],
    ['KBUF 141154Z 25002KT P 6SM CLR 17/07 A2996', { visib_sm: 6, visib_mod: 'P' }],
    ['KBUF 141154Z 25002KT M14SM FG VV001 07/07 A2996', ['M14SM']],
    ['KBUF 141154Z 25002KT M1/4 SM FG VV001 07/07 A2996', { visib_sm: 0.25, visib_mod: 'M' }],
    ['KBUF 141154Z 25002KT 1/ 2SM FG VV001 07/07 A2996', { visib_sm: 0.5 }],
    ['KBUF 141154Z 25002KT 1 /4SM BR OVC003 07/07 A2996', ['1', '/4SM']],
    ['KBUF 141154Z 25002KT P4SM CLR 17/07 A2996', ['P4SM']],
    ['KBUF 141154Z 25002KT 34SM BR OVC002 07/07 A2996', ['34SM']],
    ['KBUF 141154Z 25002KT /14SM BR OVC002 07/07 A2996', ['/14SM']],
    ['EFHK 141150Z 24007KT CAVOKM 02/M04 Q1010', ['CAVOKM']],
    ['EFHK 141150Z 24007KT 9999M 02/M04 Q1010', ['9999M']],
    ['KBUF 141154Z 25002KT 12SM FG VV001 07/07 A2996', ['FG']],
    ['KBUF 141154Z 25002KT 12SM FZFG OVC001 M07/M07 A2996', ['FZFG']],
    ['KBUF 141154Z 25002KT 12SM MIFG BKN001 07/07 A2996', { wx: 'MIFG' }],
    ['KBUF 141154Z 25002KT 0SM SCT050 17/07 A2996', ['0SM']],
    ['KBUF 141154Z 25002KT 110SM SCT050 17/07 A2996', ['110SM']],
    ['KBUF 141154Z 25002KT 9KM SCT050 17/07 A2996', ['9KM']],
    ['KBUF 141154Z 25002KT 11 1/2SM BR OVC050 17/07 A2996', ['11']],
    ['KBUF 141154Z 25002KT CLR 1707 A2996', ['1707']],
    ['KBUF 141154Z 25002KT CLR 2200 A2996', ['2200']],
  ],
  'a compass point is not a piece of the sky': [
    ['MROC 141150Z 10008KT 9999 S CT035 24/18 A3002', { clouds: [{ cover: 'SCT', base_ft: 3500 }] }],
    ['MROC 141150Z 10008KT 9999S CT035 24/18 A3002', ['CT035']],
    ['MROC 141150Z 10008KT 9999 N FEW035 24/18 A3002', ['N']],
    ['MROC 141150Z 10008KT 6000 N 24/18 A3002', ['N']],
    ['MROC 141150Z 10008KT 9999N FEW035 24/18 A3002', { visib_min_m: undefined }],
    ['MROC 141150Z 10008KT 4000 N -RA FEW035 24/18 A3002', { visib_min_m: 4000, visib_min_dir: 'N' }],
    ['KBUF 141154Z 25012KT 10SM CCR 17/07 A2996', ['CCR']],
  ],
  'a group of the remarks with a blank inside is none of another kind': [
    ['KBUF 141154Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 T011 10072', { temp_c: '11.1', maxt6_c: undefined }],
    ['KBUF 141154Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 T010 61072', { pcp6h_in: undefined }],
    ['KBUF 140554Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 4015 60078', { maxt24_c: 15.6, pcp6h_in: undefined }],
    [
      'KBUF 141054Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 10122 60012',
      { maxt6_c: undefined, pcp3h_in: undefined },
    ],
    ['KBUF 141154Z 25012KT 10SM CLR 04/M07 A2996 RMK AO2 T10391072', { temp_c: '-3.9' }],
    [
      'CWJX 141200Z AUTO 25012KT 11/07 RMK AO1 SLP120 P0004 T01100070 50024',
      { ptend: undefined, pcp6h_in: 0.09 },
    ],
  ],
  'a wind of the remarks is no temperature, and no other wind': [
    [
      'KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 PK WND 20028 /1123',
      { pk_time: '1123', mint6_c: undefined },
    ],
    ['KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 PK WND 20028/11 23', { pk_time: '1123' }],
    ...['WNDS', 'WND AT', 'RWY 33L', 'WIND RWY 33'].map(
      (words): Case => [
        `KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 ${words} 20028`,
        { mint6_c: undefined },
      ],
    ),
    [
      'KBUF 141154Z 10012KT 10SM CLR 11/07 A2996 RMK AO2 PKWND 10128 1123',
      { pk_wspd_kt: undefined, maxt6_c: undefined },
    ],
    ['KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 RWY23 WND 20030', { mint6_c: undefined }],
    ['KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 RWY23 20030', { mint6_c: undefined }],
    ['KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 PK WND 220028/1123', { pk_wspd_kt: undefined }],
    ['KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 PK WND 200128/1123', { pk_wspd_kt: undefined }],
    ['KBUF 141154Z 20045G80KT 1SM +RA 31/27 A2896 RMK AO2 PK WND 200104/1123', { pk_wspd_kt: 104 }],
    ['KBUF 141154Z 20012KT 10SM CLR 31/07 A2996 RMK AO2 PK WND 22228/1123', { pk_wdir: undefined }],
    ['CWJX 141200Z AUTO 36012KT 11/07 RMK AO1 PK WND 00028/1123', { pk_wdir: 360, pk_wspd_kt: 28 }],
    ['CYQX 141200Z 36012KT 9SM CLR 11/07 A2996 RMK PK WND 00028/1123', { pk_wspd_kt: undefined }],
    ['CWJX 141200Z AUTO 00012G22KT 11/07 RMK AO1', { wdir: 360, wspd_kt: 12, wgst_kt: 22 }],
    ['CYQX 141200Z 00012KT 9SM CLR 11/07 A2996 RMK AO2', ['00012KT']],
  ],
  'spellings that have one reading': [
    ['Metar ulli 141230Z 25004MPS 9999 -FZ DZ bkn012 M02/M03 Q1016', { wx: '-FZDZ', altim_hpa: 1016 }],
    ['METAR ULLI 141230z 25004MPS CAVOK 12/03 q1016', { cavok: true, altim_hpa: 1016 }],
    ['OPKC 141250Z 24008KT 6000 FEW030 28/12 Q1015 29.98', { altim_hpa: 1015, altim_inhg: 29.98 }],
    ['OPKC 141250Z 24008KT 6000 FEW030 28/12 A29.98/Q1015', { altim_hpa: 1015, altim_inhg: 29.98 }],
    ['EGPK 141250Z NIL= EGPF 141250Z 24008KT 9999 12/03 Q1016', { nil: true, wspd_kt: undefined }],
    ['KBUF 141154Z 25012KT 5SM -SNFZRA BR OVC012 M02/M03 A2996', { wx: '-SNFZRA BR' }],
    ['KMWN 141147Z 310105KT 0SM FZFG VV000 M20/M20 RMK', { wspd_kt: 105 }],
    ['KMWN 141147Z 310110KT 0SM FZFG VV000 M20/M20 RMK', ['310110KT']],
    ['TNCM 141200Z VRBX04KT 9999 SCT020 28/22 Q1013', { wspd_kt: 4 }],
    ['TNCM 141200Z 130/08G19KT 9999 SCT020 28/22 Q1013', { wdir: 130, wgst_kt: 19 }],
    [
      'MROC 141200Z 13008KT 9999 FEW020TC 28/22 A2996',
      { clouds: [{ cover: 'FEW', base_ft: 2000, type: 'TCU' }] },
    ],
    [
      'KBUF 141154Z 25002KT 1/2SM R23LP6000FT FG VV001 07/07 A2996',
      { rvr: [{ rwy: '23L', min_ft: 6000, mod: 'P' }] },
    ],
    ['KBUF 141154Z 25002KT 1/4SM RMID/0600U FG VV001 07/07 A2996', { rvr: undefined }],
    ['KBUF 141154Z 25002KT 1/4SM R23/0600V1000 FG VV001 07/07 A2996', ['R23/0600V1000']],
    ['UWGG 141200Z 25003MPS 9999 NSC 07/02 Q1012 R18/0900', ['R18/0900']],
    ['metar eggw 141150z 24012kt 9999 few025 15/08 q1018', { wdir: 240, altim_hpa: 1018 }],
  ],
  'sunshine and hail': [
    [
      'KBUF 140754Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 98096 GR 1 3/4 SLP140',
      { sun_min: 96, hail_in: 1.75 },
    ],
    ['KBUF 140754Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 GR 1/2', { hail_in: 0.5, sun_min: undefined }],
    ['KBUF 140754Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 GR LESS THAN 1/4', { hail_in: undefined }],
    ['KBUF 140754Z 25012KT 10SM CLR 11/07 A2996 RMK AO2 GR 2 SLP140', { hail_in: 2, slp_hpa: 1014 }],
  ],
};

function layers(...parts: readonly (string | number)[]): Decoded['clouds'] {
  const list = [];
  for (let at = 0; at < parts.length; at += 2) list.push({ cover: parts[at], base_ft: parts[at + 1] });
  return list as Decoded['clouds'];
}

describe('reports of every form', () => {
  for (const [kind, cases] of Object.entries(KINDS))
    it(kind, () => {
      for (const [raw, second, third] of cases) {
        const tokens = Array.isArray(second) ? second : [];
        const expected = third ?? (Array.isArray(second) ? {} : second);
        const { fields, unexplained } = decode(raw);
        const names = Object.keys(expected) as (keyof Decoded)[];
        const found = Object.fromEntries(names.map((name) => [name, fields[name]]));
        deepEqual([found, unexplained], [expected, tokens], raw);
      }
    });
});
