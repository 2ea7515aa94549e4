import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Position } from '../../../../clickhouse/model/report.ts';
import {
  bytesBetween,
  extractRecords,
  firstAfter,
  joinRecords,
  orderKeyAt,
  orderKeyOf,
  positionOf,
} from '../../../../clickhouse/observations/records.ts';
import { parseRecords, recordsAt } from '../../../support/archive/records.ts';

const POSITIONS: readonly Position[] = [
  { observedAt: 1706705460, station: 'K0CO', type: 'METAR', fingerprint: 'ffffffff' },
  { observedAt: 1706705460, station: 'KJFK', type: 'METAR', fingerprint: '00ff00ff' },
  { observedAt: 1706705460, station: 'KJFK', type: 'METAR', fingerprint: '01000000' },
  { observedAt: 1706705460, station: 'KJFK', type: 'SPECI', fingerprint: '00000000' },
  { observedAt: 1706705520, station: 'EGLL', type: 'METAR', fingerprint: '00000000' },
  { observedAt: 4102444740, station: 'EGLL', type: 'METAR', fingerprint: '00000000' },
];

describe('records as bytes', () => {
  const records = recordsAt(POSITIONS);

  it('have order keys that name their positions and compare as these do (D12)', () => {
    const keys = POSITIONS.map((_, n) => orderKeyAt(records, n));
    assert.deepEqual(keys, POSITIONS.map(orderKeyOf));
    assert.deepEqual(keys.map(positionOf), POSITIONS);
    assert.deepEqual(keys, keys.toSorted());
  });

  it('are found after any position', () => {
    for (const [n, position] of POSITIONS.entries()) {
      assert.equal(firstAfter(records, orderKeyOf(position)), n + 1);
      assert.equal(
        firstAfter(records, orderKeyOf({ ...position, observedAt: position.observedAt - 1e6 })),
        n === 5 ? 5 : 0,
      );
    }
    assert.equal(firstAfter(records, ''), 0);
  });

  it('are taken out by number', () => {
    const ids = (from: number, to: number) =>
      (JSON.parse(`[${bytesBetween(records, from, to)}]`) as { id: string }[]).map(({ id }) => id.slice(-8));
    assert.deepEqual(ids(0, 2), ['ffffffff', '00ff00ff']);
    assert.deepEqual(ids(2, 4), ['01000000', '00000000']);
    assert.deepEqual(ids(3, 3), []);
    assert.equal(bytesBetween(records, 0, 6).length, records.bytes.length);
  });

  it('are joined in order', () => {
    const joined = joinRecords([
      recordsAt(POSITIONS.slice(0, 1)),
      recordsAt(POSITIONS.slice(1, 4)),
      recordsAt(POSITIONS.slice(4)),
    ]);
    assert.deepEqual(joined, records);
    assert.deepEqual(joinRecords([records]), records);
    assert.equal(joinRecords([]).count, 0);
  });
});

type Row = {
  readonly minute: number;
  readonly parseStatus: string;
  readonly raw: string;
};

const key = (minute: number) => ({
  id: `KJFK-2024013112${minute}-00ff00ff`,
  station: 'KJFK',
  observedAt: `2024-01-31T12:${minute}:00Z`,
  type: 'SPECI',
});
const print = (...rows: readonly Row[]) =>
  Buffer.from(rows.map(({ minute, ...more }) => `${JSON.stringify({ ...key(minute), ...more })}\n`).join(''));
const extract = (rows: readonly Row[], count = 100) => {
  const found = extractRecords(print(...rows), count);
  return { ...found, records: parseRecords<{ id: string; raw: string }>(found.records) };
};
const raw = (minute: number, text = 'A', parseStatus = 'raw_only'): Row => ({
  minute,
  parseStatus,
  raw: text,
});

describe('records of printed rows', () => {
  it('are the rows unchanged where each is another report', () => {
    const { records, isCut, rows, lastKey } = extract([raw(10), raw(11, '"é" \\ ,'), raw(12)]);
    assert.deepEqual(
      records,
      [raw(10), raw(11, '"é" \\ ,'), raw(12)].map(({ minute, ...more }) => ({ ...key(minute), ...more })),
    );
    assert.deepEqual([isCut, rows, lastKey], [false, 3, '202401311212KJFKSPECI00ff00ff']);
  });

  it('are none where there is no row', () => {
    assert.deepEqual(extract([]), { records: [], isCut: false, rows: 0, lastKey: undefined });
  });

  it('are the first version of each report that is not retracted', () => {
    const rows = [
      raw(10, 'longer than the next'),
      raw(10, 'old'),
      raw(11, 'void', 'retracted'),
      raw(11, 'old'),
      raw(12),
      raw(13, 'retracted'),
    ];
    assert.deepEqual(
      extract(rows).records.map((record) => record.raw),
      ['longer than the next', 'A', 'retracted'],
    );
  });

  it('are at most as many as requested, and the rest is announced only where it holds a record', () => {
    const rows = [raw(10), raw(11), raw(11, 'old'), raw(12, 'void', 'retracted'), raw(12, 'old')];
    assert.equal(extract(rows, 2).isCut, false);
    assert.equal(extract([...rows, raw(13)], 2).isCut, true);
    assert.equal(extract([...rows, raw(13)], 2).records.length, 2);
  });

  it('equal a plain filter of the rows, and each can be found by its number', () => {
    const row = fc.record({
      minute: fc.integer({ min: 10, max: 20 }),
      parseStatus: fc.constantFrom('parsed', 'failed', 'retracted'),
      raw: fc.string({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 30 }), fc.integer({ min: 1, max: 12 }), (unordered, count) => {
        const rows = unordered.toSorted((a, b) => a.minute - b.minute);
        const first = rows.filter(({ minute }, n) => n === 0 || rows[n - 1]?.minute !== minute);
        const live = first.filter(({ parseStatus }) => parseStatus !== 'retracted');
        const { records, isCut } = extractRecords(print(...rows), count);
        assert.deepEqual(
          parseRecords<{ raw: string }>(records).map(({ raw: text }) => text),
          live.slice(0, count).map(({ raw: text }) => text),
        );
        assert.equal(isCut, live.length > count);
        for (const [n, { minute }] of live.slice(0, count).entries())
          assert.equal(orderKeyAt(records, n), `2024013112${minute}KJFKSPECI00ff00ff`);
      }),
    );
  });
});
