import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { writeCursor as writeObservationsCursor } from '../../../../api/observations/cursor.ts';
import { parseQuery } from '../../../../api/observations/query-params.ts';
import { readCursor, writeCursor } from '../../../../api/stations/cursor.ts';
import { parseStationsQuery } from '../../../../api/stations/query-params.ts';

const filtersOf = (query: string) => parseStationsQuery(query).filters;

describe('cursor of stations (D35)', () => {
  it('is the same text in every deployment of this version, and restores the station', () => {
    for (const [query = '', cursor = ''] of [
      ['', 'AUVEREhQDgm7MUROlqJbMv9Q'],
      ['country=DE&bbox=-10,40,20,60&q=Ham', 'AUVEREjSVLXiloEJiecmjjkK'],
      ['stations=KJFK,EGLL', 'AUVEREjKYo1YCyAg8tG6RY21'],
    ]) {
      assert.equal(writeCursor({ station: 'EDDH' }, filtersOf(query)), cursor);
      assert.deepEqual(readCursor(cursor, filtersOf(`${query}&limit=7`)), {
        station: 'EDDH',
      });
    }
  });

  it('is valid for the same filters written differently', () => {
    const cursor = writeCursor({ station: 'KJFK' }, filtersOf('stations=KJFK,EGLL&q=New&bbox=1,2,3,4'));
    for (const spelling of [
      'bbox=1.0,2,3.00,4&q=nEW&stations=EGLL,KJFK,EGLL',
      'stations=EGLL,KJFK&q=new&bbox=1,2,3,4&limit=1',
    ])
      assert.deepEqual(readCursor(cursor, filtersOf(spelling)), { station: 'KJFK' });
  });

  it('is a mismatch when any filter has changed', () => {
    const cursor = writeCursor({ station: 'KJFK' }, filtersOf('country=US&q=new'));
    for (const changed of [
      '',
      'country=US',
      'q=new',
      'country=CA&q=new',
      'country=US&q=old',
      'country=US&q=new&bbox=1,2,3,4',
      'country=US&q=new&stations=KJFK',
    ])
      assert.throws(() => readCursor(cursor, filtersOf(changed)), { code: 'cursor_mismatch', status: 400 });
  });

  it('restores the distance of a list near a point, and is bound to the point and the radius', () => {
    const near = filtersOf('near=50.03,8.57&country=DE');
    for (const distance_km of [0, 0.01, 4.35, 46.3, 999.99, 1000]) {
      const place = { station: 'EDDF', distance_km };
      const cursor = writeCursor(place, near);
      for (const spelling of ['near=50.030,8.57&country=DE', 'country=DE&near=50.03,8.57&radius_km=100.0'])
        assert.deepEqual(readCursor(cursor, filtersOf(spelling)), place);
      for (const changed of [
        'country=DE',
        'near=50.03,8.57',
        'near=50.04,8.57&country=DE',
        'near=8.57,50.03&country=DE',
        'near=50.03,8.57&country=DE&radius_km=99',
      ])
        assert.throws(() => readCursor(cursor, filtersOf(changed)), { code: 'cursor_mismatch' });
    }
    assert.throws(() => readCursor(writeCursor({ station: 'EDDF' }, near), near), { code: 'invalid_cursor' });
  });

  it('is invalid when it is damaged, of another endpoint or of no station', () => {
    const cursor = writeCursor({ station: 'KJFK' }, {});
    const range = 'stations=KJFK&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';
    const position = {
      observedAt: 1704067200,
      station: 'KJFK',
      type: 'METAR',
      fingerprint: '01234567',
    } as const;
    const invalid = [
      'x',
      cursor.slice(1),
      `${cursor}A`,
      `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}`,
      writeObservationsCursor(position, parseQuery(range).filters),
      writeCursor({ station: '\0\0\0\0' }, {}),
      writeCursor({ station: "K'--" }, {}),
      writeCursor({ station: 'KJFK', distance_km: 1 }, {}),
    ];
    for (const text of invalid)
      assert.throws(() => readCursor(text, {}), { code: 'invalid_cursor', status: 400 }, text);
  });
});
