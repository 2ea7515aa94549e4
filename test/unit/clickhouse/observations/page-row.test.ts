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

describe('a row as the engine prints it', () => {
  it('tells its position', () => {
    assert.deepEqual(positionOf(row({ parseStatus: 'raw_only' })), {
      observedAt: 1706705460,
      station: 'KJFK',
      type: 'SPECI',
      fingerprint: '00ff00ff',
    });
  });
  it('has one key whatever stands behind it', () => {
    assert.equal(
      keyOf(row({ parseStatus: 'parsed', raw: 'A' })),
      keyOf(row({ parseStatus: 'retracted', raw: 'B' })),
    );
  });
  it('says that it is retracted', () => {
    assert.ok(isRetracted(row({ parseStatus: 'retracted' })));
    assert.ok(!isRetracted(row({ parseStatus: 'parsed', raw: 'retracted' })));
  });
  it('shows no decoded fields of a report that did not parse cleanly (D7)', () => {
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
  it('leaves empty lists out, and the text of a report alone (D9)', () => {
    const raw = '"rvr":[],"clouds":[],';
    const printed = row({ parseStatus: 'parsed', raw, decoded: { rvr: [], clouds: [], cavok: true } });
    assert.deepEqual(
      JSON.parse(recordOf(printed)),
      JSON.parse(row({ parseStatus: 'parsed', raw, decoded: { cavok: true } })),
    );
  });
});
