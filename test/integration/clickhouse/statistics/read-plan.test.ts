import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import type { Select } from '../../../../clickhouse/archive.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import { HourlyGrid, hourlyStatement } from '../../../../clickhouse/hourly.ts';
import { POINT_READ } from '../../../../clickhouse/statements/select.ts';
import type { Question } from '../../../../clickhouse/statistics/question.ts';
import { statisticsStatement } from '../../../../clickhouse/statistics/statistics-statement.ts';
import { emptyArchive, type TestArchive } from '../../../support/archive/archive.ts';

const RANGE = { from: Date.UTC(2024, 0, 1) / 1000, to: Date.UTC(2024, 0, 31) / 1000 };
const QUESTION: Question = {
  stations: ['X012', 'X345'],
  ...RANGE,
  types: ['METAR', 'SPECI'],
  condition: parseCondition('ceiling_ft < 1000'),
  statistics: [{ name: 'mean', kind: 'number', of: 'mean', field: 'temp_c' }],
  groups: [{ kind: 'calendar', unit: 'month' }],
  sample: 'hourly',
};

describe('the plan of a question', () => {
  let archive: TestArchive;
  before(async () => {
    archive = await emptyArchive();
    await archive.client.command({
      query: `INSERT INTO observations (observedAt, station, type, fingerprint, version, clean)
        SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + intDiv(number, 400) * 3600,
          concat('X', leftPad(toString(number % 400), 3, '0')), 'METAR', number, 1, 1
        FROM numbers(400 * 24 * 30)`,
    });
    await archive.client.command({ query: 'OPTIMIZE TABLE observations FINAL' });
  });
  after(() => archive.close());

  async function explain(what: string, select: Select): Promise<string> {
    const query = `EXPLAIN ${what} ${select.query.replace(/FORMAT \w+\s*$/, 'FORMAT TSVRaw')}`;
    return (await archive.client.select({ ...select, query })).toString();
  }
  const planOf = (select: Select) => explain('indexes = 1, projections = 1, header = 1', select);

  for (const [sample, stations] of [
    ['hourly', QUESTION.stations],
    ['all', QUESTION.stations],
    ['hourly', ['X012']],
    ['all', ['X012']],
  ] as const)
    it(`reads the projection and the fields that it names alone, of statistics of ${stations} with sample=${sample}`, async () => {
      const clock = { offsets: [{ from: 0, seconds: 0 }], stations };
      const select = statisticsStatement({ ...QUESTION, stations, sample }, [clock], 'json');
      const plan = await planOf(select);
      assert.match(plan, /ReadFromMergeTree \(by_station\)/);
      const granules = /Granules: (\d+)\/(\d+)/.exec(plan)?.slice(1).map(Number) ?? [];
      assert.ok((granules.at(-2) ?? 99) <= 4, plan);
      assert.match(plan, /\btemp_c\b/);
      assert.doesNotMatch(plan, /\b(clouds|wdir)\b|\braw\b(?!\.size)/);
      // In the order of the projection: versions alone are sorted before the highest is chosen, and no key is kept.
      const pipeline = await explain('PIPELINE', select);
      assert.match(pipeline, /LimitBySortedStreamTransform/);
      assert.match(pipeline, /FinishSortingTransform/);
      // The window of the first reports of hours takes them in this order, in one stream.
      const window = /WindowTransform\n([\s\S]*?)LimitBySortedStreamTransform\n/.exec(pipeline)?.[1];
      assert.equal(window !== undefined, sample === 'hourly');
      assert.doesNotMatch(window ?? '', /Sort|Resize/);
    });

  for (const [what, settings] of [
    ['page', POINT_READ],
    ['stream', {}],
  ] as const)
    it(`reads the fields that it names alone, of a ${what} of an hourly series`, async () => {
      const request = { stations: ['X012'], ...RANGE, fields: ['temp_c', 'ceiling_ft'], limit: 1000 };
      const grid = new HourlyGrid(request.stations, request);
      const statement = hourlyStatement(request, grid, { firstRow: 0, rows: 700 }, 'ndjson', 'TSVRaw');
      const plan = await planOf({ ...statement, settings });
      assert.match(plan, /ReadFromMergeTree \(by_station\)/);
      assert.match(plan, /\btemp_c\b/);
      assert.doesNotMatch(plan, /\b(clouds|wdir)\b|\braw\b(?!\.size)/);
    });
});
