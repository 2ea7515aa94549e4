import { deepEqual, equal } from 'node:assert/strict';
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
    ] as const) {
      deepEqual(fieldsOf(`12/08 A2992 RMK ${sent}`, ['station_type'], 'KJFK'), { station_type: type });
    }
  });

  it('tell of rapid changes of pressure and of maintenance', () => {
    deepEqual(fieldsOf('12/08 A2992 RMK AO2 PRESRR', ['presrr', 'presfr']), { presrr: true });
    deepEqual(fieldsOf('12/08 A2992 RMK AO2 PRESFR LAST $ FIBI', ['presfr', 'maint']), {
      presfr: true,
      maint: true,
    });
  });

  it('begin with RMK in all its spellings', () => {
    for (const begin of ['RMK AO2', 'RMKS AO2', 'RMK/AO2', 'RMK: AO2', 'RMKAO2', 'REMARKS AO2']) {
      equal(read(`12/08 A2992 ${begin}`, 'KJFK').fields.station_type, 'AO2');
    }
  });

  it('end at a second report in the line', () => {
    equal(read('12/08 Q1007 RMK CB METAR KJFK 141250Z 12/08 A2992 RMK AO2').fields.station_type, undefined);
  });
});
