import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { stationSearch } from '../../../../../../api/explorer/assets/state/station-search.js';

describe('a search for stations', () => {
  for (const [text, near] of [
    ['50.03,8.57', '50.03,8.57'],
    [' 50.0379, 8.5622 ', '50.0379,8.5622'],
    ['-46 38', '-46,38'],
    ['0;-180', '0,-180'],
  ] as const)
    it(`is by distance where the text is a position, as in "${text}"`, () =>
      assert.deepEqual(stationSearch(text), { near, radius_km: 1000 }));

  for (const text of ['', 'EDDF', 'xaa', 'Frankfurt, DE', '91,0', '0,181', '50', '50.03', '1,2,3', '1e1,5'])
    it(`is by code or name where it is none, as in "${text}"`, () =>
      assert.deepEqual(stationSearch(text), { q: text }));
});
