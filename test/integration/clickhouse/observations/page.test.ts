import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Archive, canceledBy } from '../../../../clickhouse/archive.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import type { CoverageStates } from '../../../../clickhouse/coverage/rules.ts';
import { readCoverageStates } from '../../../../clickhouse/coverage/state.ts';
import type { Position, Report } from '../../../../clickhouse/model/report.ts';
import type { TimeWindow } from '../../../../clickhouse/model/time-window.ts';
import { deleteSource } from '../../../../clickhouse/observations/maintenance.ts';
import type { PageRequest } from '../../../../clickhouse/observations/selection.ts';
import { windowEnd } from '../../../../clickhouse/observations/windows.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import {
  insert,
  put,
  readAllReports,
  report,
  retract,
  useArchive,
} from '../../../support/archive/archive.ts';
import { list, recordDone } from '../../../support/archive/ledger.ts';
import {
  type ObservationRecord,
  parseRecords,
  readCoverageNow,
  readOnePage,
  recordId,
} from '../../../support/archive/records.ts';

const REQUEST: PageRequest = {
  stations: ['XAAA'],
  from: Date.parse('2023-12-31T00:00:00Z') / 1000,
  to: Date.parse('2024-02-01T00:00:00Z') / 1000,
  types: ['METAR', 'SPECI'],
  raw: true,
  decoded: false,
  limit: 1000,
};

const SOME = ['XAAC', 'XAAA', 'XAAB'];
/** So many are read in the order of time; most of them have no reports. */
const MANY = [...SOME, ...Array.from({ length: 20 }, (_, n) => `XB${String(n).padStart(2, '0')}`)];

describe('page', () => {
  const archive = useArchive();
  let client: Archive;
  before(() => {
    client = archive.client;
  });
  beforeEach(async () => {
    for (const table of REPORT_TABLES) await client.command({ query: `TRUNCATE TABLE ${table}` });
  });

  async function read(
    more: Partial<PageRequest> = {},
  ): Promise<{ records: readonly ObservationRecord[]; next?: Position }> {
    const page = await readOnePage(client, { ...REQUEST, ...more });
    return { ...page, records: parseRecords<ObservationRecord>(page.records) };
  }

  async function walk(more: Partial<PageRequest>): Promise<readonly ObservationRecord[]> {
    const all: ObservationRecord[] = [];
    let after: Position | undefined;
    for (let pages = 0; pages < 1000; pages += 1) {
      const { records, next } = await read({ ...more, ...(after && { after }) });
      all.push(...records);
      if (next === undefined) return all;
      after = next;
    }
    throw new Error('The pages have no end');
  }

  /** Across two partitions, three stations and both types, some at one minute. */
  function someReports(): readonly Report[] {
    const minutes = Array.from(
      { length: 8 },
      (_, n) => new Date(Date.parse('2023-12-31T22:00:00Z') + n * 1_800_000),
    );
    return minutes.flatMap((minute, n) =>
      ['XAAB', 'XAAA', 'XAAC'].flatMap((station) => {
        const at = minute.toISOString();
        const metar = report({ station, at });
        const speci = report({ station, at, type: 'SPECI', raw: `${metar.raw} SECOND` });
        const correction = report({ station, at, raw: `${metar.raw} CORRECTED` });
        return n % 5 === 0 ? [speci, metar, correction] : [metar];
      }),
    );
  }

  /** The order of D12, computed in another way. */
  function inOrder(reports: readonly Report[]): readonly string[] {
    const key = (r: Report) => `${String(r.observedAt).padStart(12)} ${r.station} ${r.type} ${r.fingerprint}`;
    return [...reports].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(recordId);
  }

  it('returns any text unchanged', async () => {
    const raw = 'XAAA 010000Z "quoted" \\ / ünïcode {station:String} \'; --';
    await insert(client, put(report({ at: '2024-01-01T00:00:00Z', raw })));
    assert.equal((await read()).records[0]?.raw, raw);
  });

  it('has each record once and in order, with pages of any size, of one station or several, of each type (D12)', async () => {
    const reports = someReports();
    await insert(client, ...reports.map((one) => put(one)));
    for (const stations of [['XAAA'], SOME, MANY])
      for (const types of [['METAR', 'SPECI'], ['METAR'], ['SPECI']] as const)
        for (const limit of types.length === 2 && stations !== SOME ? [1, 7] : [7]) {
          const isSelected = (one: Report) =>
            stations.includes(one.station) && (types as readonly string[]).includes(one.type);
          const found = (await walk({ limit, stations, types })).map(({ id }) => id);
          const expected = inOrder(reports.filter(isSelected));
          assert.deepEqual(found, expected, `${limit} ${stations} ${types}`);
          const newestFirst = await walk({ limit, stations, types, isDescending: true });
          assert.deepEqual(
            newestFirst.map(({ id }) => id),
            expected.toReversed(),
            `${limit} ${stations} ${types}, descending`,
          );
        }
  });

  it('has a report once that was inserted four times, before any merge', async () => {
    const reports = someReports();
    for (const table of REPORT_TABLES) await client.command({ query: `SYSTEM STOP MERGES ${table}` });
    try {
      for (let times = 0; times < 4; times += 1) await insert(client, ...reports.map((one) => put(one)));
      assert.deepEqual(
        await selectRows(client, {
          query:
            'SELECT count() AS n FROM observations UNION ALL SELECT count() AS n FROM station_observations',
        }),
        [{ n: String(reports.length * 4) }, { n: String(reports.length * 4) }],
        'the tables hold the duplicates',
      );
      for (const stations of [SOME, MANY])
        assert.deepEqual(
          (await walk({ limit: 7, stations })).map(({ id }) => id),
          inOrder(reports),
        );
    } finally {
      for (const table of REPORT_TABLES) await client.command({ query: `SYSTEM START MERGES ${table}` });
    }
  });

  it('has a report under its new type only, whichever type is requested', async () => {
    const first = report({ at: '2024-01-01T00:00:00Z' });
    await insert(client, put(first, 1));
    await insert(client, retract(first, 2), put({ ...first, type: 'SPECI' }, 2));
    assert.deepEqual(
      (await read()).records.map(({ type }) => type),
      ['SPECI'],
    );
    assert.deepEqual((await read({ types: ['METAR'] })).records, []);
    await insert(client, retract({ ...first, type: 'SPECI' }, 3), put(first, 3));
    assert.deepEqual(
      (await read()).records.map(({ type }) => type),
      ['METAR'],
    );
    for (const table of REPORT_TABLES) await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` });
    assert.deepEqual(
      (await read()).records.map(({ type }) => type),
      ['METAR'],
    );
  });

  it('is full even where retracted rows fill the result of one statement', async () => {
    const old = Array.from({ length: 60 }, (_, n) =>
      report({ at: new Date(Date.parse('2024-01-01T00:00:00Z') + n * 60_000).toISOString() }),
    );
    const last = report({ at: '2024-01-02T00:00:00Z' });
    await insert(client, ...old.map((one) => retract(one, 2)), put(last));
    assert.deepEqual(
      (await read({ limit: 1 })).records.map(({ id }) => id),
      [recordId(last)],
    );
  });

  it('finds reports with years between them, in either order, whatever a page searches', async () => {
    const reports = ['2006-07-01T00:00:00Z', '2015-01-01T00:00:00Z', '2025-12-31T23:59:00Z'].map((at) =>
      report({ at, station: 'XAAA' }),
    );
    await insert(client, ...reports.map((one) => put(one)));
    const years = { from: Date.UTC(2005, 0) / 1000, to: Date.UTC(2026, 0) / 1000 };
    const condition = parseCondition("type = 'METAR'");
    for (const more of [{}, { condition }])
      for (const stations of [['XAAA'], MANY]) {
        const idsOf = async (order: Partial<PageRequest>) =>
          (await walk({ ...years, ...more, ...order, stations, limit: 2 })).map(({ id }) => id);
        assert.deepEqual(await idsOf({}), inOrder(reports));
        assert.deepEqual(await idsOf({ isDescending: true }), inOrder(reports).toReversed());
      }
  });

  it('repeats a report whose type is amended only where the walk stands at its minute (D41)', async () => {
    const reports = ['00:00', '00:20', '00:40'].map((time) => report({ at: `2024-01-01T${time}:00Z` }));
    const [first, second] = reports as [Report, Report, Report];
    await insert(client, ...reports.map((one) => put(one)));
    const { next } = await read({ limit: 2 });
    assert.equal(next?.observedAt, second.observedAt);
    for (const one of [first, second])
      await insert(client, retract(one, 2), put({ ...one, type: 'SPECI' }, 2));
    const rest = await walk({ limit: 2, ...(next && { after: next }) });
    assert.deepEqual(
      rest.map(({ observedAt, type }) => `${observedAt} ${type}`),
      ['2024-01-01T00:20:00Z SPECI', '2024-01-01T00:40:00Z METAR'],
    );
  });

  it('is rejected when its signal aborts', async () => {
    await assert.rejects(readOnePage(canceledBy(AbortSignal.abort(), client), REQUEST), /abort/i);
  });
});

describe('deletion of a source', () => {
  const archive = useArchive();

  it('never has coverage say none beside a page of reports, nor complete without them', async () => {
    const { client } = archive;
    const source = 'demo';
    await list(client, {}, { source });
    await insert(client, put(report({ at: '2024-01-01T12:00:00Z', source })));
    await recordDone(client, '2024-01-01', '2024-01-02', { source });
    const range = { stations: ['XAAA'], from: Date.UTC(2024, 0, 1) / 1000, to: Date.UTC(2024, 0, 2) / 1000 };
    const seen: string[] = [];
    const look = async () => {
      const { status } = await readCoverageNow(client, range);
      seen.push(`${status} ${(await readAllReports(client, 'XAAA')).length}`);
    };
    const watched: Archive = {
      ...client,
      async command(statement, signal) {
        await look();
        await client.command(statement, signal);
      },
    };
    await deleteSource(watched, source);
    await look();
    assert.deepEqual([...new Set(seen)], ['complete 1', 'partial 1', 'partial 0', 'none 0']);
  });
});

const seconds = (text: string) => Date.parse(text) / 1000;

describe('window end by report density', () => {
  const archive = useArchive();
  let states: CoverageStates;
  const spansOf = (stations: readonly string[]) =>
    stations.map((station) => states.get(station)?.reports ?? []);
  const endOf = (stations: readonly string[], range: TimeWindow, reports: number) =>
    windowEnd(spansOf(stations), range, reports);
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
    states = await readCoverageStates(archive.client, ['XAAA', 'XAAB', 'ZZZZ']);
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
        const start = windowEnd(spansOf(of), range, reports, true);
        assert.ok(range.from <= start && start < range.to, `${start} for ${JSON.stringify(range)}`);
      },
    );
    fc.assert(property, { numRuns: 2000 });
  });

  it('lies as far from the start as the start that is searched backwards lies from the end', () => {
    const range = { from: seconds('2023-02-01T00:00:00Z'), to: seconds('2023-12-01T00:00:00Z') };
    for (const reports of [1, 100, 1000, 3000, 1e6]) {
      const forwards = endOf(['XAAA'], range, reports) - range.from;
      const backwards = range.to - windowEnd(spansOf(['XAAA']), range, reports, true);
      assert.ok(Math.abs(forwards - backwards) <= 120, `${forwards} and ${backwards} for ${reports}`);
    }
    // It stops reporting at the end of 2023.
    const gap = { from: range.from, to: seconds('2024-06-01T00:00:00Z') };
    const found = windowEnd(spansOf(['XAAA']), gap, 24, true);
    assert.ok(
      Math.abs(found - seconds('2023-12-31T00:00:00Z')) <= 7200,
      new Date(found * 1000).toISOString(),
    );
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
});
