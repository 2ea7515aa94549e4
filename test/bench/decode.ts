import { decodeAll } from '../../loader/decode.ts';
import { describeMachine, type Results } from './results.ts';

const ROUNDS = 60;
/** Rounds of metar-taf-parser, which is slower. */
const OTHER_ROUNDS = 3;

/** One report of each style. `#` is a digit that differs between reports. */
const STYLES = [
  'KJFK ##1#51Z 2#01#G2#KT 10SM FEW0#5 SCT1#0 BKN250 1#/0# A29#2 RMK AO2 SLP1#2 T01#20083',
  'KDEN 141#53Z 36010G2#KT 1/2SM R34L/2000V4000FT -SN FZFG VV00# M0#/M1# A300# RMK AO2 PK WND 35028/1#15 SNINCR 2/10 SLP1#9 P000# 60010 4/010 T10781100 11050 21089 5203# $',
  'KAPA 141#45Z AUTO VRB0#KT 10SM CLR 2#/0# A30## RMK AO2 T02#10056',
  'CYYZ 1412#0Z CCA 27015G2#KT 240V300 1 1/4SM R06L/4000FT/U -SN BLSN BKN00# OVC020 M0#/M06 A295# RMK SN3SC5 PRESRR SLP01#',
  'MMMX 141#40Z 00000KT 6SM HZ SCT020 BKN2#0 12/0# A30#5 NOSIG RMK SLP105 57005 906 8/5// HZY',
  'METAR EGLL 1412#0Z AUTO 2401#KT 210V280 9999 -RA FEW00# BKN0#5 OVC030 1#/08 Q10#3 NOSIG=',
  'METAR EDDF 141220Z 2501#G27KT 9999 SHRASN SCT01#TCU BKN020CB 02/M0# Q099# RESHSN WS ALL RWY NOSIG=',
  'EHKD 141#25Z AUTO 2401#KT 220V280 9999 OVC1#0 13/08 Q101# BLU 24013KT 9999 FEW045 BECMG 24015G27KT',
  'ENHD 1412#0Z AUTO 2202#KT 9999NDV -SHRA FEW010/// BKN0#0/// //////CB 05/03 Q099# REUP W08/S#',
  'LFPG 141230Z 0200#KT 0#00 R08L/0400U R09R/P1500N FG VV/// M01/M0# Q103# NOSIG',
  'UUEE 141#30Z 2400#MPS 210V280 3000 0800SW R06L/P2000N -SN BR BKN007 OVC01# M02/M0# Q100# R06L/490435 TEMPO 1000 SHSN BKN004 RMK QFE73#/0979',
  'UNAA 141#00Z 0000#MPS 9999 SCT040 BKN100 M0#/M07 Q102# 01010070 NOSIG RMK QFE74#',
  'ZBAA 141#00Z 3400#G15MPS 310V010 9999 NSC 0#/M15 Q102# NOSIG',
  'RJTT 141#30Z 0101#KT 340V040 9999 FEW030 SCT0#0 BKN150 12/M0# Q101# NOSIG RMK 1CU030 4SC050 A299#',
  'YSSY 141#30Z 1601#G28KT 9999 -SHRA SCT025 BKN0#0 18/12 Q101# RMK RF00.#/001.4',
  'YBBN 141755Z 2302#KT 9000 TSRA FEW008 BKN0#5CB 28/19 Q100# FM0900 35010KT 9999 -SHRA SCT050',
  'WIII 141#30Z 0000#KT 5000 HZ FEW01#CB SCT020 27/2# Q1009 BECMG FM0100 TL0200 3000',
  'SBGR 141#00Z 1200#KT 9999 3000NE VCSH BKN01# FEW030TCU 2#/18 Q1018',
  'FAOR 141#00Z 3401#KT 310V010 CAVOK 1#/M05 Q102# NOSIG',
  'OIIE 141#30Z 2900#KT CAVOK 2#/M02 Q1016 A300#',
] as const;

const VARIATIONS = 20;

/** Every style with other digits each time. The digits follow a fixed rule, so that each run measures the same text. */
const reports = STYLES.flatMap((style, row) =>
  Array.from({ length: VARIATIONS }, (_, column) => {
    let position = row + column;
    return style.replaceAll('#', () => String((position++ * 7 + column) % 3));
  }),
);

/**
 * Reports a second on one core, compared with metar-taf-parser in the same run where that package is installed. The
 * ratio holds on any machine, the figures on this one.
 */
export async function benchDecode(): Promise<Results> {
  const unclean = reports.filter((report) => decodeAll(report).unexplained.length > 0);
  const ours = reportsPerSecond(decodeAll, ROUNDS);
  const other = await import('metar-taf-parser').catch(() => undefined);
  const theirs = other && reportsPerSecond(other.parseMetar, OTHER_ROUNDS);
  return {
    about: describeMachine(),
    sections: [
      {
        title: `${reports.length} reports of ${STYLES.length} styles, ${unclean.length} not decoded cleanly`,
        figures: [
          { what: 'this decoder', measured: ours, unit: 'a second' },
          ...(theirs === undefined
            ? []
            : [
                { what: 'metar-taf-parser', measured: theirs, unit: 'a second' } as const,
                { what: 'this decoder, compared with it', measured: ours / theirs, unit: '×' } as const,
              ]),
        ],
      },
    ],
  };
}

/** Runs once to warm up, and measures the second run. */
function reportsPerSecond(decodeOne: (report: string) => unknown, rounds: number): number {
  const run = () => {
    for (let round = 0; round < rounds; round += 1) for (const report of reports) decodeOne(report);
  };
  run();
  const started = performance.now();
  run();
  return (rounds * reports.length * 1000) / (performance.now() - started);
}
