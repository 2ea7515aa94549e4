import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { readCursor, writeCursor } from '../../../../api/observations/cursor.ts';
import type { Filters } from '../../../../api/observations/filters.ts';
import { parseQuery } from '../../../../api/observations/query-params.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';

const character = (characters: string) => fc.constantFrom(...characters);
const station = fc
  .tuple(character('ABCDXYZ'), fc.string({ unit: character('ABC019'), minLength: 3, maxLength: 3 }))
  .map((parts) => parts.join(''));
/** 2005 to 2106: the archive can hold all of these minutes. */
const minute = fc.integer({ min: 18_408_960, max: 71_529_119 });
const anyPosition: fc.Arbitrary<Position> = fc.record({
  observedAt: minute.map((minutes) => minutes * 60),
  station,
  type: fc.constantFrom('METAR', 'SPECI'),
  fingerprint: fc.string({ unit: character('0123456789abcdef'), minLength: 8, maxLength: 8 }),
});
const anyFilters: fc.Arbitrary<Filters> = fc.record({
  stations: fc.uniqueArray(station, { minLength: 1, maxLength: 5 }),
  from: fc.constantFrom(-6e13, 0, 1.1e12),
  to: fc.constantFrom(4.3e12, 2e14),
  type: fc.constantFrom('all', 'metar', 'speci'),
  include: fc.constantFrom(['raw'], ['decoded'], ['raw', 'decoded']),
});

const POSITION: Position = {
  observedAt: 1704067200,
  station: 'KJFK',
  type: 'SPECI',
  fingerprint: '01234567',
};
const filtersOf = (query: string) => parseQuery(query).filters;
const JANUARY = 'from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';

describe('cursor (D23)', () => {
  it('restores every position with every filter, and is the same URL-safe text each time', () => {
    fc.assert(
      fc.property(anyPosition, anyFilters, (position, some) => {
        const filters = { ...some, stations: [...some.stations, position.station] };
        const cursor = writeCursor(position, filters);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.equal(writeCursor(position, filters), cursor);
        assert.deepEqual(readCursor(cursor, filters), { ...position });
      }),
    );
  });

  it('is the same text in every deployment of this version', () => {
    for (const [query, cursor] of [
      ['stations=KJFK', 'AWWSAIBLSkZLAQEjRWeGgqQUOXrXo-ugvp-l'],
      ['stations=KJFK,EGLL&type=speci&include=raw,decoded', 'AWWSAIBLSkZLAQEjRWcAOIKMU75jaSR9qxQT'],
    ])
      assert.equal(writeCursor(POSITION, filtersOf(`${query}&${JANUARY}`)), cursor);
  });

  it('is valid for the same filters written differently', () => {
    const cursor = writeCursor(POSITION, filtersOf(`stations=KJFK,EGLL&${JANUARY}&include=raw,decoded`));
    for (const spelling of [
      `stations=EGLL,KJFK,EGLL&${JANUARY}&include=decoded,raw`,
      'stations=KJFK,EGLL&from=2024-01-01T00:00:00.000z&to=2024-02-01T00:00:00%2B00:00&include=raw,decoded',
      `include=raw,decoded&type=all&limit=7&stations=KJFK,EGLL&${JANUARY}`,
    ])
      assert.deepEqual(readCursor(cursor, filtersOf(spelling)), POSITION);
  });

  it('is a mismatch when any filter has changed', () => {
    const cursor = writeCursor(POSITION, filtersOf(`stations=KJFK,EGLL&${JANUARY}`));
    for (const changed of [
      `stations=KJFK&${JANUARY}`,
      `stations=KJFK,EGLL,CYUL&${JANUARY}`,
      'stations=KJFK,EGLL&from=2024-01-01T00:00:01Z&to=2024-02-01T00:00:00Z',
      'stations=KJFK,EGLL&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00.001Z',
      `stations=KJFK,EGLL&${JANUARY}&type=metar`,
      `stations=KJFK,EGLL&${JANUARY}&include=decoded`,
    ])
      assert.throws(() => readCursor(cursor, filtersOf(changed)), { code: 'cursor_mismatch', status: 400 });
  });

  it('is invalid when it is truncated, edited or any other text', () => {
    const filters = filtersOf(`stations=KJFK&${JANUARY}`);
    const cursor = writeCursor(POSITION, filters);
    const invalid = { code: 'invalid_cursor', status: 400 };
    for (let length = 1; length < cursor.length; length += 1)
      assert.throws(() => readCursor(cursor.slice(0, length), filters), invalid);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), character('ABCabc012-_'), (at, other) => {
        fc.pre(cursor[at] !== other);
        assert.throws(() => readCursor(cursor.slice(0, at) + other + cursor.slice(at + 1), filters), invalid);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) =>
        assert.throws(() => readCursor(text, filters), invalid),
      ),
    );
    for (const spelling of [`${cursor}=`, `${cursor}A`, ` ${cursor}`, `${cursor}\n`, cursor.toLowerCase()])
      assert.throws(() => readCursor(spelling, filters), invalid);
  });

  it('is invalid when its checksum is right and its position is outside of its filters', () => {
    const filters = filtersOf(`stations=KJFK&from=0000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z`);
    for (const forged of [
      { ...POSITION, station: 'EGLL' },
      { ...POSITION, station: "K'\\\0" },
      { ...POSITION, observedAt: 0 },
      { ...POSITION, observedAt: 0xffffffff },
    ])
      assert.throws(() => readCursor(writeCursor(forged, filters), filters), { code: 'invalid_cursor' });
  });

  it('is invalid when its checksum is right and its version is another', () => {
    const filters = filtersOf(`stations=KJFK&${JANUARY}`);
    const bytes = Buffer.from(writeCursor(POSITION, filters), 'base64url');
    bytes.writeUInt8(2, 0);
    bytes.writeUInt32BE(crc32(bytes.subarray(0, 23)), 23);
    assert.throws(() => readCursor(bytes.toString('base64url'), filters), { code: 'invalid_cursor' });
  });
});
