import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type CoverageStates, readCoverageStates } from '../../../../clickhouse/coverage/state.ts';
import type { TimeWindow } from '../../../../clickhouse/model/time-window.ts';
import { windowEnd } from '../../../../clickhouse/observations/windows.ts';
import { NO_LIMIT } from '../../../support/archive/archive.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

const seconds = (text: string) => Date.parse(text) / 1000;

describe('window end by report density', () => {
  const archive = useArchive();
  let states: CoverageStates;
  const endOf = (stations: readonly string[], range: TimeWindow, reports: number) =>
    windowEnd(
      stations.map((station) => states.get(station)?.reports ?? []),
      range,
      reports,
    );
  // XAAA reports every hour of 2023 and then no more; XAAB every sixth hour of both years.
  before(async () => {
    for (const [station, year, step] of [
      ['XAAA', 2023, 1],
      ['XAAB', 2023, 6],
      ['XAAB', 2024, 6],
    ] as const)
      await archive.client.command({
        query: `INSERT INTO coverage (station, year, source, hours, firstReport, lastReport)
                SELECT '${station}', ${year}, 'demo', groupBitmapState(toUInt16(number * ${step})),
                  min(toDateTime('${year}-01-01 00:00:00', 'UTC') + number * ${step} * 3600) AS first,
                  max(toDateTime('${year}-01-01 00:00:00', 'UTC') + number * ${step} * 3600) AS last
                FROM numbers(intDiv(8760, ${step}))`,
      });
    states = await readCoverageStates(archive.client, ['XAAA', 'XAAB', 'ZZZZ'], NO_LIMIT);
  });

  it('lies within the range and after its start, also where a station reports less or stops', () => {
    const begin = seconds('2023-11-01T00:00:00Z');
    const minute = fc.integer({ min: 0, max: 400 * 1440 }).map((n) => begin + n * 60);
    const stations = fc.constantFrom(['XAAA'], ['XAAB'], ['XAAA', 'XAAB'], ['ZZZZ']);
    const property = fc.property(
      minute,
      minute,
      stations,
      fc.double({ min: 1, max: 3000, noNaN: true }),
      (a, b, of, reports) => {
        fc.pre(a !== b);
        const range = { from: Math.min(a, b), to: Math.max(a, b) };
        const end = endOf(of, range, reports);
        assert.ok(range.from < end && end <= range.to, `${end} for ${JSON.stringify(range)}`);
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });

  it('lies within the range where exactly the requested reports come before a year without reports', () => {
    // Every minute of the last days of the dense year: one of them leaves exactly the reports that are asked for.
    const to = seconds('2024-06-01T00:00:00Z');
    for (let from = seconds('2023-12-25T00:00:00Z'); from < seconds('2024-01-01T00:00:00Z'); from += 60) {
      const end = endOf(['XAAA'], { from, to }, 117 * 1.2);
      assert.ok(from < end && end <= to, new Date(from * 1000).toISOString());
    }
  });

  it('is the end of the range where no station reports, and does not count the time before the first report', () => {
    const range = { from: seconds('2022-06-01T00:00:00Z'), to: seconds('2023-12-01T00:00:00Z') };
    assert.equal(endOf(['ZZZZ'], range, 1), range.to);
    const end = endOf(['XAAA'], range, 100);
    assert.ok(Math.abs(end - seconds('2023-01-01T00:00:00Z') - 100 * 3600) <= 60);
  });

  it('is as far as the reports take', () => {
    const range = { from: seconds('2023-02-01T00:00:00Z'), to: seconds('2023-12-01T00:00:00Z') };
    const end = endOf(['XAAA'], range, 100);
    assert.ok(Math.abs(end - range.from - 100 * 3600) <= 60);
  });
});
