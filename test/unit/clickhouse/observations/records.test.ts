import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Position } from '../../../../clickhouse/model/report.ts';
import {
  bytesBetween,
  joinRecords,
  positionAt,
  recordsOfLines,
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

  it('name their positions', () => {
    assert.deepEqual(
      POSITIONS.map((_, n) => positionAt(records, n)),
      POSITIONS,
    );
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

describe('records of printed lines', () => {
  const line = (minute: number, raw: string) =>
    JSON.stringify({
      id: `KJFK-2024013112${minute}-00ff00ff`,
      station: 'KJFK',
      observedAt: `2024-01-31T12:${minute}:00Z`,
      type: 'SPECI',
      raw,
    });
  const print = (raws: readonly string[]) =>
    Buffer.from(raws.map((raw, n) => `${line(10 + n, raw)}\n`).join(''));

  it('are the lines unchanged, and each can be found by its number', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 30 }), fc.nat(30), (raws, some) => {
        const records = recordsOfLines(print(raws));
        assert.equal(records.count, raws.length);
        const first = joinRecords([records], some);
        assert.deepEqual(
          parseRecords<{ raw: string }>(first).map(({ raw }) => raw),
          raws.slice(0, some),
        );
        assert.deepEqual(first.ends.length, first.count);
      }),
    );
  });

  it('are refused where the last line is cut off', () => {
    assert.throws(() => recordsOfLines(print(['a', 'b']).subarray(0, -3)), /no line break/);
    assert.throws(() => recordsOfLines(Buffer.from('{')), /no line break/);
  });
});
