import assert from 'node:assert/strict';
import { parseCondition } from '../../../../../clickhouse/conditions/parse-condition.ts';
import type { CoverageState } from '../../../../../clickhouse/coverage/rules.ts';
import { readCoverageStates } from '../../../../../clickhouse/coverage/state.ts';
import { REPORT_TYPES } from '../../../../../clickhouse/model/report.ts';
import { fixRange } from '../../../../../clickhouse/observations/stream/stream-range.ts';
import { insert, put, report, useArchive } from '../../../../support/archive/archive.ts';

const FROM = Date.UTC(2024, 0, 1) / 1000;
const STATION = 'XAAA';

describe('the range of a stream', () => {
  const archive = useArchive();
  before(async () => {
    const reports = Array.from({ length: 50 }, (_, minute) =>
      report({ at: new Date((FROM + minute * 60) * 1000).toISOString(), station: STATION }),
    );
    await insert(archive.client, ...reports.map((one) => put(one)));
  });

  const fix = async (limit: number, isWhole: boolean, filter?: string, judgedRows = 100, hours?: number) => {
    const stored = await readCoverageStates(archive.client, [STATION]);
    const state = stored.get(STATION) as CoverageState;
    const reports = state.reports.map((span) => ({ ...span, hours: hours ?? span.hours }));
    const states = new Map([[STATION, { ...state, reports }]]);
    const range = { stations: [STATION], from: FROM, to: FROM + 86_400, types: REPORT_TYPES };
    const condition = filter && { condition: parseCondition(filter) };
    const request = { ...range, ...condition, limit, isWhole, states, raw: true, decoded: false };
    return fixRange(archive.client, { ...request, format: 'ndjson' }, judgedRows);
  };

  it('ends where it was asked to, or at the position of its last record', async () => {
    assert.equal((await fix(50, false)).last, undefined);
    assert.equal((await fix(10, false)).last?.observedAt, FROM + 9 * 60);
  });

  it('is empty where the indexes of many reports say that none meets the condition', async () => {
    // An insert writes no indexes.
    await archive.client.command({ query: 'OPTIMIZE TABLE station_observations FINAL' });
    assert.equal((await fix(60, true, 'temp_c < -90', 100, 1_000_000)).rows, 0);
    assert.equal((await fix(60, true, 'temp_c > -90', 100, 1_000_000)).rows, 50);
  });

  for (const [what, filter, judgedRows, why] of [
    ['how many rows it has', undefined, 100, 'the range holds about 50 records, and one response at most 10'],
    [
      'that more meet the condition',
      "raw LIKE 'XAAA%'",
      100,
      'the condition is true for more than 10 records, the most that one response holds',
    ],
    [
      'that more would be judged',
      "raw LIKE '%nowhere%'",
      20,
      'a condition is judged on at most 20 reports for one response, and the range holds more',
    ],
  ] as const)
    it(`is refused where it must be whole and is longer: ${what}`, async () => {
      await assert.rejects(fix(10, true, filter, judgedRows), { name: 'CutRangeError', message: why });
    });
});
