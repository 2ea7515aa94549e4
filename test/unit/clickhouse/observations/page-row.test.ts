import assert from 'node:assert/strict';
import { isRetracted, keyOf, positionOf, recordOf } from '../../../../clickhouse/observations/page-row.ts';

const row = (more: object) =>
  JSON.stringify({
    id: 'KJFK-202401311251-00ff00ff',
    station: 'KJFK',
    observedAt: '2024-01-31T12:51:00Z',
    type: 'SPECI',
    ...more,
  });

describe('row of a page', () => {
  it('contains its position', () => {
    assert.deepEqual(positionOf(row({ parseStatus: 'raw_only' })), {
      observedAt: 1706705460,
      station: 'KJFK',
      type: 'SPECI',
      fingerprint: '00ff00ff',
    });
  });
  it('has the same key whatever follows it', () => {
    assert.equal(
      keyOf(row({ parseStatus: 'parsed', raw: 'A' })),
      keyOf(row({ parseStatus: 'retracted', raw: 'B' })),
    );
  });
  it('is retracted by its parse status', () => {
    assert.ok(isRetracted(row({ parseStatus: 'retracted' })));
    assert.ok(!isRetracted(row({ parseStatus: 'parsed', raw: 'retracted' })));
  });
  it('has no decoded fields where the report did not parse cleanly (D7)', () => {
    const printed = row({
      parseStatus: 'failed',
      raw: 'KJFK "decoded":{ \\',
      decoded: { cavok: false, clouds: [{}] },
    });
    assert.deepEqual(
      JSON.parse(recordOf(printed)),
      JSON.parse(row({ parseStatus: 'failed', raw: 'KJFK "decoded":{ \\' })),
    );
  });
  it('has no empty lists, and its text is unchanged (D9)', () => {
    const raw = '"rvr":[],"clouds":[],';
    const printed = row({ parseStatus: 'parsed', raw, decoded: { rvr: [], clouds: [], cavok: true } });
    assert.deepEqual(
      JSON.parse(recordOf(printed)),
      JSON.parse(row({ parseStatus: 'parsed', raw, decoded: { cavok: true } })),
    );
  });
});
