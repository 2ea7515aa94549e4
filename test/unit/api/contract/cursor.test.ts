import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import fc from 'fast-check';
import { writeCursor } from '../../../../api/contract/cursor.ts';
import { readQuery } from '../../../../api/contract/query.ts';
import { OBSERVATIONS } from '../../../../api/observations/endpoint.ts';
import { STATIONS } from '../../../../api/stations/endpoint.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';

const character = (characters: string) => fc.constantFrom(...characters);
const anyPosition: fc.Arbitrary<Position> = fc.record({
  observedAt: fc.integer({ min: 18_408_960, max: 71_529_119 }).map((minute) => minute * 60),
  station: fc
    .tuple(character('ABCDXYZ'), fc.string({ unit: character('ABC019'), minLength: 3, maxLength: 3 }))
    .map((parts) => parts.join('')),
  type: fc.constantFrom('METAR', 'SPECI'),
  fingerprint: fc.string({ unit: character('0123456789abcdef'), minLength: 8, maxLength: 8 }),
});

const POSITION: Position = {
  observedAt: 1704067200,
  station: 'KJFK',
  type: 'SPECI',
  fingerprint: '01234567',
};
const JANUARY = 'from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z';

const written = (query: string, position: object = POSITION) =>
  writeCursor(position, readQuery(OBSERVATIONS, query));
const read = (cursor: string, query: string) =>
  readQuery(OBSERVATIONS, `${query}&cursor=${encodeURIComponent(cursor)}`).after;

/** A cursor with any content and the right checksum, which a client can compute. */
const forged = (content: string) =>
  Buffer.concat([Buffer.from(content), hash('sha256', content, 'buffer').subarray(0, 6)]).toString(
    'base64url',
  );

describe('cursor', () => {
  it('restores every position, and is the same URL-safe text each time', () => {
    const query = `stations=KJFK&${JANUARY}`;
    fc.assert(
      fc.property(anyPosition, (position) => {
        const cursor = written(query, position);
        assert.match(cursor, /^[A-Za-z0-9_-]+$/);
        assert.equal(written(query, position), cursor);
        assert.deepEqual(read(cursor, query), { ...position });
      }),
    );
  });

  it('is valid for the same filters written differently, another limit, and a later version of the program (D23)', () => {
    const issued =
      'WzEsIkNyTXoyZTNUU2hpUXduZUVNRzNNYXQiLHsib2JzZXJ2ZWRBdCI6MTcwNDA2NzIwMCwic3RhdGlvbiI6IktKRksiLCJ0eXBlIjoiU1BFQ0kiLCJmaW5nZXJwcmludCI6IjAxMjM0NTY3In1dFsPJda43';
    for (const spelling of [
      `stations=EGLL,KJFK,EGLL&${JANUARY}&include=decoded,raw`,
      'stations=KJFK,EGLL&from=2024-01-01T00:00:00.000z&to=2024-02-01T00:00:00%2B00:00&include=raw,decoded',
      `include=raw,decoded&type=all&limit=7&stations=KJFK,EGLL&${JANUARY}`,
    ])
      assert.deepEqual(read(issued, `${spelling}&fields=temp_c&filter=temp_c<5`), POSITION);
  });

  it('is a mismatch when any filter has changed', () => {
    const cursor = written(`stations=KJFK,EGLL&${JANUARY}`);
    const [stations, to] = [`stations=KJFK,EGLL,CYUL&${JANUARY}`, JANUARY.replace(/Z$/, '.001Z')];
    for (const changed of [stations, `stations=KJFK,EGLL&${to}`, `stations=KJFK,EGLL&${JANUARY}&type=metar`])
      assert.throws(() => read(cursor, changed), {
        code: 'cursor_mismatch',
        status: 400,
        message: /repeat stations, from, to, hours, type, [\w, ]+ and \w+, or start/,
      });
  });

  it('is invalid when it is truncated, edited or any other text', () => {
    const query = `stations=KJFK&${JANUARY}`;
    const cursor = written(query);
    const invalid = { code: 'invalid_cursor', status: 400 };
    for (let length = 1; length < cursor.length; length += 1)
      assert.throws(() => read(cursor.slice(0, length), query), invalid);
    fc.assert(
      fc.property(fc.nat(cursor.length - 1), character('ABCabc012-_'), (at, other) => {
        fc.pre(cursor[at] !== other);
        assert.throws(() => read(cursor.slice(0, at) + other + cursor.slice(at + 1), query), invalid);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (text) =>
        assert.throws(() => read(text, query), invalid),
      ),
    );
    for (const spelling of [`${cursor}=`, `${cursor}A`, ` ${cursor}`, `${cursor}\n`, cursor.toLowerCase()])
      assert.throws(() => read(spelling, query), invalid);
  });

  it('is invalid when its checksum is right and its content is of no cursor', () => {
    const query = `stations=KJFK&${JANUARY}`;
    const { filtersKey } = readQuery(OBSERVATIONS, query);
    const content = (position: object, version = 1) => JSON.stringify([version, filtersKey, position]);
    assert.deepEqual(read(forged(content(POSITION)), query), POSITION);
    for (const wrong of [
      content(POSITION, 2),
      content({ ...POSITION, station: "K'\\\0" }),
      content({ ...POSITION, observedAt: 0 }),
      content({ ...POSITION, observedAt: POSITION.observedAt + 1 }),
      content({ ...POSITION, observedAt: 2 ** 32 }),
      content({ ...POSITION, type: 'TAF' }),
      content({ ...POSITION, fingerprint: 'x' }),
      content({ ...POSITION, more: 1 }),
      content({ station: 'KJFK' }),
      '{}',
      'null',
      '[',
      '',
    ])
      assert.throws(() => read(forged(wrong), query), { code: 'invalid_cursor' }, wrong);
  });

  it('of stations is bound to the point and the radius, and restores a distance', () => {
    const near = 'near=50.03,8.57&country=DE';
    const place = { station: 'EDDF', distance_km: 46.35 };
    const cursor = writeCursor(place, readQuery(STATIONS, near));
    const readStation = (query: string) => readQuery(STATIONS, `${query}&cursor=${cursor}`).after;
    for (const spelling of ['near=50.030,8.57&country=DE', 'country=DE&near=50.03,8.57&radius_km=100.0'])
      assert.deepEqual(readStation(spelling), place);
    for (const changed of ['country=DE', 'near=8.57,50.03&country=DE', `${near}&radius_km=99`, `${near}&q=x`])
      assert.throws(() => readStation(changed), { code: 'cursor_mismatch' }, changed);
  });

  it('is invalid at another endpoint', () => {
    const cursor = written(`stations=KJFK&${JANUARY}`);
    assert.throws(() => readQuery(STATIONS, `stations=KJFK&cursor=${cursor}`), { message: /another path/ });
  });
});
