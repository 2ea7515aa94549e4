import assert from 'node:assert/strict';
import type { Archive, Select } from '../../../../clickhouse/archive.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import { HourlyGrid, hourlyStatement } from '../../../../clickhouse/hourly.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';
import type { PageRequest } from '../../../../clickhouse/observations/selection.ts';
import { POINT_READ } from '../../../../clickhouse/statements/select.ts';
import type { Question } from '../../../../clickhouse/statistics/question.ts';
import { statisticsStatement } from '../../../../clickhouse/statistics/statistics-statement.ts';
import { readOnePage } from '../../../support/archive/records.ts';
import { useArchive } from '../../../support/archive/use-archive.ts';

/** What ClickHouse plans to read: in which order, and how many granules of how many. */
type Plan = { readonly order: 'table' | 'projection'; readonly granules: number; readonly all: number };

const STATIONS = 400;
const stationsFrom = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => `X${String(first + n).padStart(3, '0')}`);

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

describe('read plan', () => {
  const archive = useArchive();
  let queries: Select[];
  let client: Archive;

  // 400 stations, hourly for a month in each of two years: 288,000 reports a year.
  before(async () => {
    for (const year of [2023, 2024])
      await archive.client.command({
        query: `
          INSERT INTO observations (observedAt, station, type, fingerprint, version, source, text, clean, decoder)
          SELECT toDateTime('${year}-01-01 00:00:00', 'UTC') + intDiv(number, ${STATIONS}) * 3600, concat('X', leftPad(toString(number % ${STATIONS}), 3, '0')),
            if(number % 7 = 0, 'SPECI', 'METAR'), number, 1, 'demo', concat('REPORT ', toString(number)), 1, 1
          FROM numbers(${STATIONS * 24 * 30})`,
      });
    await archive.client.command({ query: 'OPTIMIZE TABLE observations FINAL' });
    client = {
      ...archive.client,
      select: (select, signal) => {
        queries.push(select);
        return archive.client.select(select, signal);
      },
    };
  });
  beforeEach(() => {
    queries = [];
  });

  const twoYears = {
    from: Date.parse('2023-01-01T00:00:00Z') / 1000,
    to: Date.parse('2025-01-01T00:00:00Z') / 1000,
    types: ['METAR', 'SPECI'],
    raw: true,
    decoded: false,
    limit: 100,
  } as const;

  /** The plans of the page statements of a request, without the statements that size its windows. */
  async function plansOf(request: PageRequest): Promise<readonly Plan[]> {
    await readOnePage(client, request);
    const pages = queries.filter(({ query }) => query.includes('parseStatus'));
    return Promise.all(pages.map(planOf));
  }

  async function explain(what: string, select: Select): Promise<string> {
    const query = `EXPLAIN ${what} ${select.query.replace(/FORMAT \w+\s*$/, 'FORMAT TSVRaw')}`;
    return (await archive.client.select({ ...select, query })).toString();
  }
  async function planOf(select: Select): Promise<Plan> {
    const text = await explain('indexes = 1, projections = 1', select);
    const read = /ReadFromMergeTree \((.+)\)/.exec(text)?.[1] ?? '';
    const granules = [...text.matchAll(/Granules: (\d+)\/(\d+)/g)].map(
      ([, kept, of]) => [Number(kept), Number(of)] as const,
    );
    return {
      order: read === 'by_station' ? 'projection' : 'table',
      granules: granules.at(-1)?.[0] ?? 0,
      all: granules[0]?.[1] ?? 0,
    };
  }

  it('of one station uses the projection and at most three granules, whatever the range', async () => {
    const plans = await plansOf({ ...twoYears, stations: ['X123'] });
    assert.equal(plans.length, 1);
    assert.equal(plans[0]?.order, 'projection');
    assert.ok((plans[0]?.granules ?? 99) <= 3, JSON.stringify(plans));
  });

  it('of many stations uses the order of the table', async () => {
    const plans = await plansOf({ ...twoYears, stations: stationsFrom(0, 300) });
    assert.equal(plans.length, 1);
    assert.equal(plans[0]?.order, 'table');
    assert.ok((plans[0]?.granules ?? 99) <= 3, JSON.stringify(plans));
  });

  it('after a cursor has no more granules than at the start', async () => {
    const after = {
      observedAt: Date.parse('2024-01-15T12:00:00Z') / 1000,
      station: 'X123',
      type: 'METAR',
      fingerprint: '00000000',
    } as const;
    for (const stations of [['X123'], stationsFrom(0, 300)]) {
      queries = [];
      const plans = await plansOf({ ...twoYears, stations, after });
      assert.equal(plans.length, 1);
      assert.ok((plans[0]?.granules ?? 99) <= 3, JSON.stringify(plans));
    }
  });

  it('has at most three statements where there are few reports', async () => {
    const unknown = await plansOf({ ...twoYears, stations: ['ZZZZ'] });
    assert.equal(unknown.length, 1, 'a station without coverage');
    queries = [];
    const sparse = await plansOf({
      ...twoYears,
      stations: ['X001'],
      types: ['SPECI'],
      from: Date.parse('2005-01-01T00:00:00Z') / 1000,
    });
    assert.ok(sparse.length <= 3, `${sparse.length} queries`);
  });

  it('finds every record on both sides of eleven months without reports', async () => {
    // All reports of a year are in January.
    let page = await readOnePage(client, { ...twoYears, stations: ['X005'], limit: 1000 });
    let records = page.records.count;
    while (page.next !== undefined) {
      page = await readOnePage(client, {
        ...twoYears,
        stations: ['X005'],
        limit: 1000,
        after: page.next,
      });
      records += page.records.count;
    }
    assert.equal(records, 2 * 24 * 30);
  });

  describe('with a condition', () => {
    /** One report in 30,000 meets it; the archive of this test has no decoded fields. */
    const rare = parseCondition("raw LIKE 'REPORT %00_77' AND NOT raw LIKE '%1%' AND ceiling_ft IS NULL");
    const never = parseCondition('visib_m < 800 OR ceiling_ft < 200');

    async function statementsOf(request: PageRequest) {
      queries = [];
      const page = await readOnePage(client, request);
      const searches = queries.filter(({ query }) => query.includes('AS meets'));
      const windows = searches.map(({ params }) => params as { from: number; to: number });
      return { page, plans: await Promise.all(searches.map(planOf)), windows };
    }

    it('of one station uses the projection and time windows', async () => {
      const { page, plans } = await statementsOf({ ...twoYears, stations: ['X123'], condition: never });
      assert.equal(page.records.count, 0);
      assert.ok(plans.length <= 4, `${plans.length} statements`);
      for (const { order } of plans) assert.equal(order, 'projection');
    });

    it('of many stations searches so much for a page and no more', async () => {
      const request = { ...twoYears, stations: stationsFrom(0, 400), condition: never };
      let after: Position | undefined;
      for (let pages = 1; ; pages += 1) {
        const { page, plans, windows } = await statementsOf({ ...request, ...(after && { after }) });
        assert.equal(page.records.count, 0);
        assert.ok(plans.length <= 5, `${plans.length} statements`);
        for (const { order } of plans) assert.equal(order, 'table');
        // 400 reports an hour: at most 300,000 rows, and a fifth more by the reach of an estimate.
        const hours = windows.reduce((sum, { from, to }) => sum + (to - from) / 3600, 0);
        if (page.next === undefined) {
          assert.ok(pages >= 2, `${pages} pages`);
          return;
        }
        assert.equal(page.isShort, true);
        assert.ok(hours <= 10_000, `${hours} hours`);
        assert.ok(after === undefined || page.next.observedAt > after.observedAt);
        after = page.next;
      }
    });

    it('looks up the keys of rows that meet it in long windows', async () => {
      const request = { ...twoYears, stations: stationsFrom(0, 400), limit: 1000 };
      const ofRecords = () => queries.filter(({ query }) => query.includes('parseStatus'));
      const { page } = await statementsOf({ ...request, condition: rare });
      assert.ok(page.records.count > 0);
      // A window of more rows than are judged one by one looks up the keys of those that meet it.
      const long = ofRecords().filter(({ params }) => {
        const { from, to } = params as { from: number; to: number };
        return (to - from) / 3600 > (20_000 / 400) * 2;
      });
      assert.ok(long.length > 0 && long.every(({ query }) => query.includes('GLOBAL IN')));
      for (const { order } of await Promise.all(long.map(planOf))) assert.equal(order, 'table');
    });
  });

  for (const [sample, stations] of [
    ['hourly', QUESTION.stations],
    ['all', QUESTION.stations],
    ['hourly', ['X012']],
    ['all', ['X012']],
  ] as const)
    it(`of statistics reads the projection and the fields that they name alone: ${stations} with sample=${sample}`, async () => {
      const clock = { offsets: [{ from: 0, seconds: 0 }], stations };
      const select = statisticsStatement({ ...QUESTION, stations, sample }, [clock], 'json');
      const plan = await explain('indexes = 1, projections = 1, header = 1', select);
      assert.match(plan, /ReadFromMergeTree \(by_station\)/);
      const granules = /Granules: (\d+)\/(\d+)/.exec(plan)?.slice(1).map(Number) ?? [];
      assert.ok((granules.at(-2) ?? 99) <= 4, plan);
      assert.match(plan, /\btemp_c\b/);
      assert.doesNotMatch(plan, /\b(clouds|wdir)\b|\braw\b(?!\.size)/);
      // In the order of the projection: versions alone are sorted before the highest is chosen, and no key is kept.
      const pipeline = await explain('PIPELINE', select);
      assert.match(pipeline, /LimitBySortedStreamTransform/);
      assert.match(pipeline, /FinishSortingTransform/);
      // The window of the first reports of hours takes them in this order, with the best of a minute first, in one stream.
      const window = /WindowTransform\n([\s\S]*?)LimitBySortedStreamTransform\n/.exec(pipeline)?.[1];
      assert.equal(window !== undefined, sample === 'hourly');
      assert.doesNotMatch(window ?? '', /MergeSort|Resize/);
    });

  for (const [what, settings] of [
    ['page', POINT_READ],
    ['stream', {}],
  ] as const)
    it(`of a ${what} of an hourly series reads the fields that it names alone`, async () => {
      const request = { stations: ['X012'], ...RANGE, fields: ['temp_c', 'ceiling_ft'], limit: 1000 };
      const grid = new HourlyGrid(request.stations, request);
      const statement = hourlyStatement(request, grid, { firstRow: 0, rows: 700 }, 'ndjson', 'TSVRaw');
      const plan = await explain('indexes = 1, projections = 1, header = 1', { ...statement, settings });
      assert.match(plan, /ReadFromMergeTree \(by_station\)/);
      assert.match(plan, /\btemp_c\b/);
      assert.doesNotMatch(plan, /\b(clouds|wdir)\b|\braw\b(?!\.size)/);
    });
});
