import { deepEqual, equal } from 'node:assert/strict';
import { read } from './read.ts';

const unexplained = (words: string) => read(`9999 FEW020CB 25/21 Q1010 ${words}`, 'MHTG').unexplained;

describe('plain language behind the groups', () => {
  it('is understood where cloud or rain stand with their direction', () => {
    for (const words of [
      'CB N NE',
      'TCU N/NE/E',
      'CB/PCPN/ESE-S',
      'CB TO S AND W',
      'TCU ALL HZ',
      'CB S NOSIG',
      'NOSIG NE/SE',
      'NOSIG:SIROCCO',
    ]) {
      deepEqual(unexplained(words), []);
    }
  });

  it('is understood where it tells of the aerodrome', () => {
    for (const words of [
      'RWY15 INFO A',
      'RWY15 INFO ? A ?',
      'INFO U RWY32',
      'RWY WET',
      'RWY 19',
      'PP000',
      '1AC080',
    ]) {
      deepEqual(unexplained(words), []);
    }
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
    ]) {
      deepEqual(unexplained(words), [], words);
    }
    equal(read('9999 FEW020 25/21 Q1010 WIND THR22 31014G26KT').fields.wspd_kt, undefined);
  });

  it('may follow the clouds where the temperature is left out', () => {
    deepEqual(read('8000 BKN018 RA/SW/W').unexplained, []);
    deepEqual(read('9999 FEW040CB NW NE BKN260 30/23').unexplained, []);
    deepEqual(read('9999 SCT015 FEW050CB CB TO OBS S 20/20 Q1012').fields.temp_c, '20');
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
