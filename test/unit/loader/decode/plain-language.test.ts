import { deepEqual, equal } from 'node:assert/strict';
import { read } from './read.ts';

const unexplained = (words: string) => read(`09005KT 9999 FEW020CB 25/21 Q1010 ${words}`, 'MHTG').unexplained;

describe('plain language behind the groups', () => {
  it('is understood where cloud or rain stand with their direction', () => {
    for (const words of [
      'CB N NE',
      'TCU N/NE/E',
      'CB/PCPN/ESE-S',
      'CB TO S AND W',
      'TCU ALL HZ',
      'CB S NOSIG',
      'CB AND RA TO N + NE',
      'DL-E/DL-SE',
      'RF00.2/004.0 PRESENT WEATHER SENSOR U/S',
      'CLOUD SENSOR U/S',
      'NOSIG NE/SE',
      'NOSIG:SIROCCO',
    ])
      deepEqual(unexplained(words), []);
  });

  it('is understood where it tells of the aerodrome', () => {
    for (const words of [
      'RWY15 INFO A',
      'RWY15 INFO ? A ?',
      'INFO U RWY32',
      'RWY WET',
      'RWY/21 INFO/K',
      'INFO: C',
      'INFO:C NOSIG',
      'RWY 19',
      'PP000',
      '1AC080',
    ])
      deepEqual(unexplained(words), []);
  });

  it('is understood where it begins with a word of its vocabulary', () => {
    for (const words of [
      'VIS RED 4KM TD CL',
      'VOL. STA. MARIA EN ACTIVIDAD',
      'NEFO PLAYA 700FT',
      'NEFO PLAYA SKC',
      'CB 4/C STN 5KM S /SW/W RESTO 7 KM',
      'WIND THR22 31014G26KT',
      'RH 65PC',
      'RH 87 PERCENT.',
      'TS OVER THE FIELD',
      'CB OTF',
      'OVER THE FIELD',
      'CBSE',
      'C B TO SW',
      'HZ/ALL-QDS',
      '2 KM ALL FU',
      'LAST',
      '59%',
    ])
      deepEqual(unexplained(words), [], words);
    equal(read('09005KT 9999 FEW020 25/21 Q1010 WIND THR22 31014G26KT').fields.wspd_kt, 5);
  });

  it('may follow the clouds where the temperature is left out', () => {
    deepEqual(read('8000 BKN018 RA/SW/W').unexplained, []);
    deepEqual(read('9999 FEW040CB NW NE BKN260 30/23').unexplained, []);
    deepEqual(read('9999 SCT015 FEW050CB CB TO OBS S 20/20 Q1012').fields.temp_c, '20');
  });

  it('is not begun by a temperature or a pressure with a unit behind a layer', () => {
    const temperature = (group: string) => read(`9999 BKN025 ${group} Q1017`, 'HKJK').fields.temp_c;
    deepEqual([temperature('23/14C'), temperature('M03/M05C')], ['23', '-3']);
    for (const group of ['23/1M', '2/14C', '23C'])
      deepEqual(read(`9999 BKN025 ${group} Q1017`, 'HKJK').unexplained, [group]);
    for (const groups of ['1017HPA', '1017MB', '1017 HPA'])
      deepEqual(read(`9999 BKN025 23/14 ${groups}`, 'HKJK').fields.altim_hpa, 1017);
    deepEqual(read('9999 BKN025 23/14 Q1017 850HPA', 'HKJK').unexplained, []);
  });

  it('has the total cover of Austria behind the pressure', () => {
    const report = '9999 FEW040SC BKN200CI 08/02 Q1019 BKN';
    deepEqual(read(`${report} NOSIG`, 'LOWG'), read(`${report.slice(0, -4)} NOSIG`, 'LOWG'));
    deepEqual(read(report, 'EDDM').unexplained, ['BKN']);
  });

  it('does not hide the groups behind it', () => {
    const { fields } = read('9999 FEW020 25/21 CB TO SE Q1010 RETS NOSIG');
    deepEqual([fields.altim_hpa, fields.rewx, fields.trend], [1010, 'TS', 'NOSIG']);
  });

  it('gives the place of weather that is not at the station', () => {
    for (const words of ['RA TO SE', 'SHRA N', 'TS AND CB TO NE', 'VCSH SE NW']) {
      const { fields, unexplained } = read(`9999 FEW020 25/21 Q1010 ${words}`);
      deepEqual([fields.wx, unexplained], [undefined, []], words);
    }
    equal(read('9999 FEW020 25/21 Q1010 RA').fields.wx, 'RA');
  });

  it('does not become weather at the station', () =>
    equal(read('25/21 Q1010 CB N RA SW').fields.wx, undefined));

  it('stays unexplained otherwise', () => {
    deepEqual(unexplained('VOLCANO ACTIVE'), ['VOLCANO', 'ACTIVE']);
    deepEqual(unexplained('N NE'), ['N', 'NE']);
    for (const words of ['TEST', 'CHECK TEXT NEW ENDING ADDED', 'Thi email wa', '333 56399 88710'])
      deepEqual(unexplained(words), words.split(' '));
    deepEqual(unexplained('CB SE 29/25 Q109 SCT17'), ['29/25', 'Q109', 'SCT17']);
    deepEqual(read('CB N').unexplained, ['CB', 'N']);
  });
});
