import assert from 'node:assert/strict';
import { isConfirmed, type RecordedSlice } from '../../../../../clickhouse/coverage/ledger/ledger.ts';
import { day } from '../../../../support/archive/ledger.ts';

const row = (
  recordedAt: number,
  reports: number,
  firstDay = '2024-01-06',
  doneDay = '2024-01-07',
  run = `run ${recordedAt}`,
): RecordedSlice => ({
  source: 'iem',
  station: 'XAAA',
  firstDay: day(firstDay),
  doneDay: day(doneDay),
  endDay: day(doneDay),
  run,
  reportsByDay: [],
  reports,
  recordedAt,
});
const confirmed = (...rows: readonly RecordedSlice[]) => isConfirmed(rows, day('2024-01-06'));

describe('confirmed day', () => {
  it('has the same number of reports in the newest two rows of its ledger (D39)', () => {
    assert.equal(confirmed(row(100, 5), row(200, 5)), true);
    assert.equal(confirmed(row(100, 5), row(200, 6)), false);
    assert.equal(confirmed(row(300, 7), row(100, 5), row(200, 7)), true);
    assert.equal(confirmed(row(100, 5), row(200, 5), row(300, 6)), false);
  });

  it('needs two runs', () => {
    assert.equal(confirmed(), false);
    assert.equal(confirmed(row(100, 5)), false);
    assert.equal(confirmed(row(100, 5), row(100, 5)), false);
    assert.equal(confirmed(row(100, 5), row(200, 5), row(200, 5)), true);
  });

  it('takes the rows of one run for one, and those of two runs for two, in whatever second (D39)', () => {
    const ofRun = (run: string, recordedAt: number, reports: number) =>
      row(recordedAt, reports, '2024-01-06', '2024-01-07', run);
    assert.equal(confirmed(ofRun('a', 100, 5), ofRun('a', 200, 5)), false);
    assert.equal(confirmed(ofRun('a', 100, 5), ofRun('b', 100, 5)), true);
    assert.equal(confirmed(ofRun('b', 100, 6), ofRun('a', 100, 5), ofRun('c', 100, 6)), true);
    assert.equal(confirmed(ofRun('a', 100, 6), ofRun('b', 100, 5), ofRun('c', 100, 6)), false);
    assert.equal(confirmed(row(100, 5), ofRun('a', 100, 5)), true);
  });

  it('ignores rows in which the day is not done', () => {
    assert.equal(confirmed(row(100, 5), row(200, 5, '2024-01-05', '2024-01-06')), false);
    assert.equal(confirmed(row(100, 5), row(200, 5, '2024-01-07', '2024-01-08')), false);
    assert.equal(confirmed(row(100, 5, '2024-01-01', '2025-01-01'), row(200, 5)), true);
  });
});
