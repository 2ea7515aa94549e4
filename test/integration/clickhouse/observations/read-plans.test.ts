import assert from 'node:assert/strict';
import type { Archive, Select } from '../../../../clickhouse/archive.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import { hourlyGrid, hourlyStatement } from '../../../../clickhouse/hourly.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';
import {
  bindSelection,
  type PageRequest,
  selectedReports,
} from '../../../../clickhouse/observations/selection.ts';
import { POINT_READ, selectRow } from '../../../../clickhouse/statements/select.ts';
import type { Question } from '../../../../clickhouse/statistics/question.ts';
import { readStatistics, statisticsStatement } from '../../../../clickhouse/statistics/read-statistics.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { readOnePage } from '../../../support/archive/records.ts';

/** What ClickHouse plans to read: of which tables, and how many granules. */
type Plan = { readonly tables: readonly string[]; readonly granules: number };

const BY_TIME = ['observations'];
const BY_STATION = ['station_observations'];

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
          INSERT INTO observations (observedAt, station, type, fingerprint, version, source, text, clean, decoder, temp_c, wspd_kt, cavok, fltcat)
          SELECT toDateTime('${year}-01-01 00:00:00', 'UTC') + intDiv(number, ${STATIONS}) * 3600, concat('X', leftPad(toString(number % ${STATIONS}), 3, '0')),
            if(number % 7 = 0, 'SPECI', 'METAR'), number, 1, 'demo', concat('REPORT ', toString(number)), 1, 1,
            number % 30, number % 25, false, 'VFR'
          FROM numbers(${STATIONS * 24 * 30})`,
      });
    await archive.client.command({
      query: 'INSERT INTO station_observations SELECT * FROM observations',
    });
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

  /** The plans of the page statements of a request, without those of its coverage. */
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
    const text = await explain('indexes = 1', select);
    const tables = [...text.matchAll(/ReadFromMergeTree \(\w+\.(\w+)\)/g)].map(([, table = '']) => table);
    const granules = [...text.matchAll(/Granules: (\d+)\/\d+/g)].map(([, kept]) => Number(kept));
    return { tables, granules: granules.at(-1) ?? 0 };
  }

  it('of one station uses the order of stations and at most three granules, whatever the range', async () => {
    const plans = await plansOf({ ...twoYears, stations: ['X123'] });
    assert.equal(plans.length, 1);
    assert.deepEqual(plans[0]?.tables, BY_STATION);
    assert.ok((plans[0]?.granules ?? 99) <= 3, JSON.stringify(plans));
    // With 69 indexes to examine it takes a quarter longer.
    assert.equal(queries.at(-1)?.settings?.use_skip_indexes, 0);
  });

  it('of many stations uses the order of time', async () => {
    for (const [count, table] of [
      [16, BY_STATION],
      [17, BY_TIME],
      [300, BY_TIME],
    ] as const) {
      queries = [];
      const plans = await plansOf({ ...twoYears, stations: stationsFrom(0, count) });
      assert.equal(plans.length, 1);
      assert.deepEqual(plans[0]?.tables, table);
      assert.ok((plans[0]?.granules ?? 99) <= Math.max(3, count === 16 ? 32 : 0), JSON.stringify(plans));
    }
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

  describe('with a condition', () => {
    /** One report in 30,000 meets it. */
    const rare = parseCondition("raw LIKE 'REPORT %00_77' AND NOT raw LIKE '%1%' AND ceiling_ft IS NULL");
    const never = parseCondition('visib_m < 800 OR ceiling_ft < 200');

    async function statementsOf(request: PageRequest) {
      queries = [];
      const page = await readOnePage(client, request);
      const searches = queries.filter(({ query }) => query.includes('parseStatus'));
      const windows = searches.map(({ params }) => params as { from: number; to: number });
      return { page, searches, plans: await Promise.all(searches.map(planOf)), windows };
    }

    it('of one station uses the order of stations and time windows', async () => {
      const { page, plans } = await statementsOf({ ...twoYears, stations: ['X123'], condition: never });
      assert.equal(page.records.count, 0);
      assert.ok(plans.length <= 4, `${plans.length} statements`);
      for (const { tables } of plans) assert.deepEqual(new Set(tables), new Set(BY_STATION));
    });

    it('of many stations searches so much for a page and no more', async () => {
      const request = { ...twoYears, stations: stationsFrom(0, 400), condition: never };
      let after: Position | undefined;
      for (let pages = 1; ; pages += 1) {
        const { page, plans, windows } = await statementsOf({ ...request, ...(after && { after }) });
        assert.equal(page.records.count, 0);
        assert.ok(plans.length <= 5, `${plans.length} statements`);
        // 400 reports an hour: at most 300,000 rows, and a fifth more by the reach of an estimate.
        const hours = windows.reduce((sum, { from, to }) => sum + (to - from) / 3600, 0);
        if (page.next === undefined) {
          assert.ok(pages >= 2, `${pages} pages`);
          return;
        }
        assert.ok(hours <= 10_000, `${hours} hours`);
        assert.ok(after === undefined || page.next.observedAt > after.observedAt);
        after = page.next;
      }
    });

    it('finds the reports that meet it before it reads texts, in every window but the first', async () => {
      const request = { ...twoYears, stations: stationsFrom(0, 400), limit: 1000 };
      const { page, searches, windows } = await statementsOf({ ...request, condition: rare });
      assert.ok(page.records.count > 0 && searches.length > 1);
      for (const [n, { query }] of searches.entries()) {
        assert.equal(query.includes('GLOBAL IN'), n > 0);
        // A window of six weeks has enough rows of each station for a granule.
        const { from, to } = windows[n] as { from: number; to: number };
        assert.equal(query.includes('station_observations'), to - from >= 42 * 86_400);
      }
    });

    for (const text of [
      'temp_c < -90',
      'temp_c BETWEEN 50 AND 60',
      'temp_c IN (70, 71, 72)',
      'NOT (temp_c > -90)',
      'temp_f < -130',
      'wspd_ms >= 154.34 OR visib_sm < 99',
      'wspd_kt > 300',
      'wspd_kt IN (90, 91)',
      'wspd_kt > 300 OR temp_c < -90',
      'cavok = TRUE',
      "fltcat = 'LIFR'",
      "fltcat IN ('IFR', 'LIFR')",
      "temp_c > 10 AND fltcat <> 'VFR'",
    ])
      it(`reads no granule in the order of stations where none has a value that meets it: ${text}`, async () => {
        const condition = parseCondition(text);
        const window = { from: twoYears.from, to: twoYears.to };
        const { stations, types } = { ...twoYears, stations: ['X123', 'X200'] };
        const selection = { stations, types, window, condition };
        for (const settings of [POINT_READ, {}]) {
          const query = `SELECT report.observedAt FROM ${selectedReports(selection)} FORMAT TSV`;
          const { tables, granules } = await planOf({ query, ...bindSelection(selection), settings });
          assert.deepEqual([tables, granules], [BY_STATION, 0]);
        }
      });
  });

  for (const [sample, stations] of [
    ['hourly', QUESTION.stations],
    ['all', QUESTION.stations],
    ['hourly', ['X012']],
    ['all', ['X012']],
  ] as const)
    it(`of statistics reads, in the order of stations, only the fields that they name: ${stations} with sample=${sample}`, async () => {
      const clock = { offsets: [{ from: 0, seconds: 0 }], stations };
      const select = statisticsStatement({ ...QUESTION, stations, sample }, [clock], { format: 'json' });
      const plan = await explain('indexes = 1, header = 1', select);
      assert.match(plan, /ReadFromMergeTree \(\w+\.station_observations\)/);
      // A month of a station, in granules of 1,024 rows.
      const granules = [...plan.matchAll(/Granules: (\d+)\/\d+/g)].map(([, kept]) => Number(kept));
      assert.ok((granules.at(-1) ?? 99) <= 4, plan);
      assert.match(plan, /\btemp_c\b/);
      assert.doesNotMatch(plan, /\b(clouds|wdir)\b|\braw\b(?!\.size)|\btext\b/);
    });

  it('of a page and of statistics takes blocks from memory that another one has decompressed', async () => {
    const question = { ...QUESTION, stations: ['X012'] };
    const clock = { offsets: [{ from: 0, seconds: 0 }], stations: question.stations };
    const readHits = async () => {
      const query = "SELECT sum(value) AS hits FROM system.events WHERE event = 'UncompressedCacheHits'";
      return Number((await selectRow<{ hits: string }>(archive.client, { query })).hits);
    };
    for (const read of [
      () => readOnePage(archive.client, { ...twoYears, stations: ['X012'] }),
      () => readStatistics(archive.client, question, [clock], { format: 'json', threads: 1 }),
    ]) {
      await read();
      const hits = await readHits();
      await read();
      assert.ok((await readHits()) > hits, `${hits}`);
    }
  });

  for (const [what, settings] of [
    ['page', POINT_READ],
    ['stream', {}],
  ] as const)
    it(`of a ${what} of an hourly series reads only the fields that it names`, async () => {
      const request = { stations: ['X012'], ...RANGE, fields: ['temp_c', 'ceiling_ft'], limit: 1000 };
      const grid = hourlyGrid(request);
      const statement = hourlyStatement(request, grid, { firstRow: 0, endRow: 700 }, { format: 'json' });
      const plan = await explain('indexes = 1, header = 1', { ...statement, settings });
      assert.match(plan, /ReadFromMergeTree \(\w+\.station_observations\)/);
      assert.match(plan, /\btemp_c\b/);
      assert.doesNotMatch(plan, /\b(clouds|wdir)\b|\braw\b(?!\.size)|\btext\b/);
    });
});
