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
      assert.equal(writeCursor('EDDH', filtersOf(query)), cursor);
      assert.equal(readCursor(cursor, filtersOf(`${query}&limit=7`)), 'EDDH');
    }
  });

  it('is valid for the same filters written differently', () => {
    const cursor = writeCursor('KJFK', filtersOf('stations=KJFK,EGLL&q=New&bbox=1,2,3,4'));
    for (const spelling of [
      'bbox=1.0,2,3.00,4&q=nEW&stations=EGLL,KJFK,EGLL',
      'stations=EGLL,KJFK&q=new&bbox=1,2,3,4&limit=1',
    ])
      assert.equal(readCursor(cursor, filtersOf(spelling)), 'KJFK');
  });

  it('is a mismatch when any filter has changed', () => {
    const cursor = writeCursor('KJFK', filtersOf('country=US&q=new'));
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

  it('is invalid when it is damaged, of another endpoint or of no station', () => {
    const cursor = writeCursor('KJFK', {});
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
      writeCursor('\0\0\0\0', {}),
      writeCursor("K'--", {}),
    ];
    for (const text of invalid)
      assert.throws(() => readCursor(text, {}), { code: 'invalid_cursor', status: 400 }, text);
  });
});
