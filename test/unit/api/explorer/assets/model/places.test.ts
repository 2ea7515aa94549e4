import assert from 'node:assert/strict';
import { namedPlaces, placesAt } from '../../../../../../api/explorer/assets/model/places.ts';

const at = (name: string, x: number, y: number) => ({ name, x, y });
const names = (places: readonly { readonly name: string }[]) => places.map(({ name }) => name).join(' ');

describe('places on the map', () => {
  const hamburg = [at('EDDH', 100, 50), at('EDHI', 96, 54), at('EDDF', 100, 90)];
  for (const [title, x, y, size, found] of [
    ['are the nearest one, however far it is', 400, 300, 8, 'EDDF'],
    ['are both whose marks overlap', 101, 49, 8, 'EDDH EDHI'],
    ['are told apart where the marks are smaller', 101, 49, 4, 'EDDH'],
  ] as const)
    it(title, () => assert.equal(names(placesAt(hamburg, { x, y }, size)), found));

  it('are none without a place, or without one within reach', () => {
    assert.deepEqual(placesAt([], { x: 0, y: 0 }, 8), []);
    assert.deepEqual(placesAt(hamburg, { x: 100, y: 20 }, 8, 20), []);
  });

  for (const [title, places, named] of [
    ['are named where there is space', [at('A', 20, 20), at('B', 20, 60)], 'A B'],
    ['have no name over another mark', [at('Heathrow', 20, 20), at('Gatwick', 60, 22)], 'Gatwick'],
    ['have no name over another name', [at('Heathrow', 20, 20), at('Gatwick', 19, 30)], 'Heathrow'],
    ['have no name that both edges cut', [at('Sydney'.repeat(7), 270, 20)], ''],
    ['have no name to the left over another mark', [at('A', 240, 22), at('Sydney', 290, 20)], 'A'],
  ] as const)
    it(title, () => assert.equal(names(namedPlaces(places, 300)), named));

  it('have a name to the left where the right edge would cut it', () => {
    const sides = namedPlaces([at('Suva', 20, 20), at('Sydney', 270, 20)], 300);
    assert.deepEqual(
      sides.map(({ isLeft }) => isLeft),
      [false, true],
    );
  });
});
