import { deepEqual, equal } from 'node:assert/strict';
import { decode } from '../../../../loader/decode.ts';
import { fieldsOf, read } from './read.ts';

describe('remarks', () => {
  it('never fail a report (D8)', () => {
    deepEqual(read('12/08 Q1013 RMK ANY OLD !? WORDS 99999 T0 SLP P SNINCR PK').unexplained, []);
  });

  it('name the station type, misspelt or not', () => {
    for (const [sent, type] of [
      ['AO1', 'AO1'],
      ['AO2', 'AO2'],
      ['A02', 'AO2'],
      ['A01', 'AO1'],
      ['AO2A', 'AO2'],
    ] as const)
      deepEqual(fieldsOf(`12/08 A2992 RMK ${sent}`, ['station_type'], 'KJFK'), { station_type: type });
  });

  it('tell of rapid changes of pressure and of maintenance', () => {
    deepEqual(fieldsOf('12/08 A2992 RMK AO2 PRESRR', ['presrr', 'presfr']), { presrr: true });
    deepEqual(fieldsOf('12/08 A2992 RMK AO2 PRESFR LAST $ FIBI', ['presfr', 'maint']), {
      presfr: true,
      maint: true,
    });
  });

  it('begin with RMK in all its spellings', () => {
    for (const begin of ['RMK AO2', 'RMKS AO2', 'RMK/AO2', 'RMK: AO2', 'RMKAO2', 'REMARKS AO2'])
      equal(read(`12/08 A2992 ${begin}`, 'KJFK').fields.station_type, 'AO2');
  });

  it('end at the station and time of a second report, which has no keyword', () => {
    for (const second of [
      'KLGA 141151Z 24009KT 5SM BR 11/10 A2990 RMK AO2 PK WND 29040/1130 P0010 60012 T01120101 10156 53021',
      'KJFK 141151Z AUTO 5SM 11/10 A2990 RMK AO1 P0010 T01120101 401560101',
      'SPECI COR KJFK 141151Z 24009KT 5SM RMK AO1 P0010',
    ])
      deepEqual(
        read(`10SM 12/08 A2992 RMK AO2 SLP132 ${second}`, 'KJFK'),
        read('10SM 12/08 A2992 RMK AO2 SLP132', 'KJFK'),
      );
    equal(read('9SM 12/08 A2992 RMK LAST OBS/ NEXT 151200Z SLP132', 'CYXY').fields.slp_hpa, 1013.2);
  });

  it('end at a second report in the line', () => {
    equal(read('12/08 Q1007 RMK CB METAR KJFK 141250Z 12/08 A2992 RMK AO2').fields.station_type, undefined);
  });
});

const NAMES = /^(?:pcp|snow|swe|ice)/;
const amounts = (remarks: string, time = '141153Z', station = 'KJFK') => {
  const { fields } = decode(`${station} ${time} 00000KT 10SM CLR 02/01 A2992 RMK AO2 ${remarks}`);
  return Object.fromEntries(Object.entries(fields).filter(([name]) => NAMES.test(name)));
};

describe('amounts of precipitation', () => {
  it('are inches, hourly and daily', () => {
    deepEqual(amounts('P0012 70125'), { pcp1h_in: 0.12, pcp24h_in: 1.25 });
  });

  it('are zero and marked where only a trace fell', () => {
    deepEqual(amounts('P0000 60000'), { pcp1h_in: 0, pcp1h_trace: true, pcp6h_in: 0, pcp6h_trace: true });
  });

  it('cover six hours at the main synoptic hours and three between them', () => {
    deepEqual(amounts('60010', '140553Z'), { pcp6h_in: 0.1 });
    deepEqual(amounts('60010', '142356Z'), { pcp6h_in: 0.1 });
    deepEqual(amounts('60010', '141200Z'), { pcp6h_in: 0.1 });
    deepEqual(amounts('60010', '140853Z'), { pcp3h_in: 0.1 });
  });

  it('include snow, its water and ice', () => {
    deepEqual(amounts('SNINCR 2/10 933036 I1002 I3005 I6010'), {
      snow_inc_in: 2,
      snow_in: 10,
      swe_in: 3.6,
      ice1h_in: 0.02,
      ice3h_in: 0.05,
      ice6h_in: 0.1,
    });
    deepEqual(amounts('4/012'), { snow_in: 12 });
  });

  it('of ice are a trace where all figures are zero', () => {
    deepEqual(amounts('I1000 I3001 I6000'), {
      ice1h_in: 0,
      ice1h_trace: true,
      ice3h_in: 0.01,
      ice6h_in: 0,
      ice6h_trace: true,
    });
  });

  it('are left out where they could not be measured', () =>
    deepEqual(amounts('P//// 6//// 7//// 4/// SNINCR'), {}));

  it('are not read from Mexican reports, which give millimeters', () => {
    deepEqual(amounts('60012 4/012 933036', '141153Z', 'MMMX'), {});
  });
});
