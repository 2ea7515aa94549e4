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
    ]) {
      deepEqual(unexplained(words), []);
    }
  });

  it('is understood where it tells of the aerodrome', () => {
    for (const words of ['RWY15 INFO A', 'INFO U RWY32', 'RWY WET', 'RWY 19', 'PP000', '1AC080']) {
      deepEqual(unexplained(words), []);
    }
  });

  it('does not become weather at the station', () =>
    equal(read('25/21 Q1010 CB N RA SW').fields.wx, undefined));

  it('stays unexplained otherwise', () => {
    deepEqual(unexplained('VOLCANO ACTIVE'), ['VOLCANO', 'ACTIVE']);
    deepEqual(unexplained('N NE'), ['N', 'NE']);
    deepEqual(read('CB N').unexplained, ['CB', 'N']);
  });
});
