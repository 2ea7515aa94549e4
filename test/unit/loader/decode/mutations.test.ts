import { deepEqual } from 'node:assert/strict';
import fc from 'fast-check';
import type { Decoded } from '../../../../clickhouse/model/fields.ts';
import { decode } from '../../../../loader/decode.ts';
import { repetitions } from '../../../support/repetitions.ts';
import { impossibilities } from './impossibilities.ts';

/** Sound reports of every style, which together carry every group that has a field. */
const REPORTS = [
  'KJFK 141151Z 28016G27KT 240V310 10SM -RA FEW015 BKN030 OVC250 12/08 A2992 RMK AO2 PK WND 29032/1126 SLP132 P0003 60012 70125 T01220083 10156 20094 401560083 52032',
  'KDEN 140553Z 36010G22KT 1/2SM R34L/2000V4000FT -SN FZFG VV002 M05/M11 A3001 RMK AO2 SNINCR 2/10 SLP189 P0001 60010 4/010 933036 I1002 I6010 T10501106 11044 21050',
  'CYYZ 141200Z 27015G25KT 1 1/4SM R06L/4000V5000FT/U -SN BLSN BKN004 OVC020 M03/M06 A2951 RMK SN3SC5 PRESRR SLP012',
  'METAR EGLL 141220Z AUTO 24011KT 210V280 9999 3000SW -RA FEW004 BKN015 OVC030 11/08 Q1003 RERA NOSIG=',
  'METAR EDDF 141220Z 25014G27KT 1500 R25L/0900V1800N SHRASN SCT011TCU BKN020CB 02/M01 Q0991 RESHSN NOSIG=',
  'ENHD 141220Z AUTO 22026G38KT 9999NDV -SHRA FEW010/// BKN030/// 05/03 Q0994 W08/S4',
  'UUEE 141230Z 24005G11MPS 210V280 3000 0800SW R06L/P2000N -SN BR BKN007 OVC012 M02/M02 Q1000 R06L/490435 NOSIG RMK QFE735/0979',
  'ZBAA 141200Z VRB02MPS CAVOK 02/M15 Q1022 NOSIG',
  'RJTT 141230Z 01012KT 340V040 9999 FEW030 BKN150 12/M01 Q1011 NOSIG RMK 1CU030 A2986',
  'OIIE 141230Z 29006KT CAVOK 22/M02 Q1016 A3000 871.2',
  'MMMX 141240Z 00000KT 6SM HZ SCT020 BKN230 12/02 A3015 NOSIG RMK SLP105 57005',
] as const;

const CHARACTERS = '0123456789MPVRGKTQA/SLPWNDFEBC -+';

/** One error of a typist or of transmission; `place` and `value` choose where and what. */
type Slip = { readonly kind: number; readonly place: number; readonly value: number };

const slip = fc.record({ kind: fc.nat(6), place: fc.nat(400), value: fc.nat(400) });

function apply(report: string, { kind, place, value }: Slip): string {
  const at = place % report.length;
  const character = CHARACTERS[value % CHARACTERS.length] ?? '0';
  const tokens = report.split(' ');
  const one = place % tokens.length;
  const other = value % tokens.length;
  switch (kind) {
    case 0:
      return report.slice(0, at) + character + report.slice(at + 1);
    case 1:
      return report.slice(0, at) + report.slice(at + 1);
    case 2:
      return report.slice(0, at) + character + report.slice(at);
    case 3:
      return report.slice(0, at) + (report[at + 1] ?? '') + (report[at] ?? '') + report.slice(at + 2);
    case 4:
      return tokens.filter((_, index) => index !== one).join(' ');
    case 5:
      return tokens.map((token, index) => (index === one ? (tokens[other] ?? '') : token)).join(' ');
    default:
      return report.replace(/\d/g, (digit, offset: number) => (offset === at ? String(value % 10) : digit));
  }
}

const mutated = fc
  .tuple(fc.constantFrom(...REPORTS), fc.array(slip, { minLength: 1, maxLength: 3 }))
  .map(([report, slips]) => slips.reduce(apply, report));

const judge = (report: string): readonly string[] => {
  const { fields, unexplained } = decode(report);
  return unexplained.length > 0 ? [] : impossibilities(fields);
};

describe('mutated reports', () => {
  it('start from reports that are parsed and possible', () => {
    for (const report of REPORTS)
      deepEqual([decode(report).unexplained, impossibilities(decode(report).fields)], [[], []], report);
  });

  it('are never both parsed and impossible', () => {
    fc.assert(
      fc.property(mutated, (report) => deepEqual(judge(report), [], report)),
      { numRuns: repetitions({ usual: 5_000, long: 200_000 }), seed: 20_240_131 },
    );
  });

  it('are never both parsed and impossible when any figure of a sound report is another', () => {
    for (const report of REPORTS) {
      for (let at = 0; at < report.length; at++) {
        if (!/\d/.test(report[at] ?? '')) continue;
        for (let digit = 0; digit <= 9; digit++) {
          const text = report.slice(0, at) + digit + report.slice(at + 1);
          deepEqual(judge(text), [], text);
        }
      }
    }
  });

  it('are told apart: the judge finds each kind of impossible value', () => {
    const sound: Decoded = { cavok: false, temp_c: '12', dewp_c: '8', wdir: 280, wspd_kt: 16, wgst_kt: 27 };
    const wrong: readonly Partial<Decoded>[] = [
      { dewp_c: '14' },
      { wgst_kt: 16 },
      { wdir: 0 },
      { wspd_kt: 164 },
      { altim_hpa: 869 },
      { visib_m: 300_001 },
      { clouds: [{ cover: 'FEW', base_ft: 50_100 }] },
      { rvr: [{ rwy: '27', min_m: 900, max_m: 800 }] },
      { maxt6_c: 10 },
      { maxt24_c: 9, mint24_c: 10 },
      { pcp1h_in: 1, pcp6h_in: 0.5 },
      { wdir_from: 10, wdir_to: 90 },
    ];
    deepEqual(impossibilities(sound), []);
    for (const fields of wrong)
      deepEqual(impossibilities({ ...sound, ...fields }).length > 0, true, JSON.stringify(fields));
  });
});
