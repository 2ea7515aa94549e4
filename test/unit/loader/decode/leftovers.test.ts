import { deepEqual } from 'node:assert/strict';
import type { Decoded } from '../../../../clickhouse/model/fields.ts';
import { decode } from '../../../../loader/decode.ts';

/** A report, then the tokens that are listed, or some of its fields; `undefined` is a field that must be absent. */
type Case = readonly [
  raw: string,
  expected: readonly string[] | { readonly [Name in keyof Decoded]?: unknown },
];

/** Fragments of one group that look like another. */
const KINDS: Readonly<Record<string, readonly Case[]>> = {
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
    ['KBUF 141154Z 25002KT P4SM CLR 17/07 A2996', ['P4SM']],
    ['KBUF 141154Z 25002KT 34SM BR OVC002 07/07 A2996', ['34SM']],
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
  ],
  'spellings that have one reading': [
    ['KBUF 141154Z 25012KT 5SM -SNFZRA BR OVC012 M02/M03 A2996', { wx: '-SNFZRA BR' }],
    ['KMWN 141147Z 310105KT 0SM FZFG VV000 M20/M20 RMK', { wspd_kt: 105 }],
    ['KMWN 141147Z 310110KT 0SM FZFG VV000 M20/M20 RMK', ['310110KT']],
    ['TNCM 141200Z VRBX04KT 9999 SCT020 28/22 Q1013', { wspd_kt: 4 }],
    ['TNCM 141200Z 130/08G19KT 9999 SCT020 28/22 Q1013', { wdir: 130, wgst_kt: 19 }],
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

describe('tokens that are left over', () => {
  for (const [kind, cases] of Object.entries(KINDS))
    it(kind, () => {
      for (const [raw, expected] of cases) {
        const { fields, unexplained } = decode(raw);
        const names = Object.keys(expected) as (keyof Decoded)[];
        const found = Array.isArray(expected)
          ? unexplained
          : Object.fromEntries(names.map((name) => [name, fields[name]]));
        deepEqual(found, expected, raw);
        if (!Array.isArray(expected)) deepEqual(unexplained, [], raw);
      }
    });
});
