import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import type { Archive, Select } from '../../../../../clickhouse/archive.ts';
import { parseCondition } from '../../../../../clickhouse/conditions/parse-condition.ts';
import { readCoverageStates } from '../../../../../clickhouse/coverage/state.ts';
import type { Position } from '../../../../../clickhouse/model/report.ts';
import type { TimeWindow } from '../../../../../clickhouse/model/time-window.ts';
import type { PageRequest } from '../../../../../clickhouse/observations/selection.ts';
import { openStream } from '../../../../../clickhouse/observations/stream/stream.ts';
import { fixRange } from '../../../../../clickhouse/observations/stream/stream-range.ts';
import { insert, put, report, useArchive } from '../../../../support/archive/archive.ts';

const MINUTES = 1500;
const STATIONS = ['XAAA', 'XAAB'];
const JUDGED = 200;
const START = Date.UTC(2024, 0, 1) / 1000;
/** Seconds since 1970-01-01T00:00:00Z. */
const END = START + MINUTES * 60;
const FOUND = (minute: number) => minute % 250 === 7;
const REQUEST: PageRequest = {
  stations: STATIONS,
  from: START,
  to: Date.UTC(2024, 0, 3) / 1000,
  types: ['METAR', 'SPECI'],
  raw: true,
  decoded: false,
  limit: 100,
  condition: parseCondition("raw LIKE '%here%'"),
};

describe('a stream with a condition', () => {
  const archive = useArchive();
  let selects: Select[] = [];
  let streamed: Select[] = [];
  let client: Archive;
  before(async () => {
    // A report a minute, where the estimate of the coverage expects one an hour.
    const reports = STATIONS.flatMap((station) =>
      Array.from({ length: MINUTES }, (_, minute) =>
        report({
          at: new Date((START + minute * 60) * 1000).toISOString(),
          station,
          raw: `${station} ${FOUND(minute) ? 'here' : 'not'} ${minute}`,
        }),
      ),
    );
    await insert(archive.client, ...reports.map((one) => put(one)));
    client = {
      ...archive.client,
      select: (select, signal) => {
        selects.push(select);
        return archive.client.select(select, signal);
      },
      stream: (select, signal) => {
        streamed.push(select);
        return archive.client.stream(select, signal);
      },
    };
  });
  beforeEach(() => {
    [selects, streamed] = [[], []];
  });

  const rowsIn = ({ from, to }: TimeWindow) => Math.ceil((Math.min(to, END) - from) / 60) * STATIONS.length;
  const judging = () => selects.filter(({ query }) => query.includes('AS rows') && query.includes('filter0'));

  async function open(request: PageRequest, judged = JUDGED) {
    const states = await readCoverageStates(client, request.stations);
    const asked = { ...request, isWhole: false, states, format: 'ndjson' } as const;
    const range = await fixRange(client, asked, judged);
    const bytes = await openStream(client, asked, range, { first: 1, next: 1, judged: 20 });
    const lines = (await text(bytes)).split('\n').slice(0, -1);
    return { range, raws: lines.map((line) => (JSON.parse(line) as { raw: string }).raw) };
  }

  for (const limit of [1, 100])
    it(`ends after so many rows, and a walk over cursors gives each record once: limit ${limit}`, async () => {
      const raws: string[] = [];
      let [streams, short] = [0, 0];
      for (let after: Position | undefined; ; ) {
        const opened = await open({ ...REQUEST, limit, ...(after && { after }) });
        assert.ok(opened.raws.length <= limit);
        raws.push(...opened.raws);
        streams += 1;
        if (opened.range.isShort === true) short += 1;
        assert.ok(rowsIn(opened.range.window) <= JUDGED, `${rowsIn(opened.range.window)} rows`);
        if (opened.range.last === undefined) break;
        assert.ok(after === undefined || opened.range.last.observedAt >= after.observedAt);
        after = opened.range.last;
      }
      const expected = Array.from({ length: MINUTES }, (_, minute) => minute)
        .filter(FOUND)
        .flatMap((minute) => STATIONS.map((station) => `${station} here ${minute}`));
      assert.deepEqual(raws, expected);
      assert.ok(short >= 10 && streams < 60, `${short} of ${streams}`);
      for (const { params } of judging()) assert.ok(rowsIn(params as TimeWindow) <= JUDGED);
    });

  // All, half, a few, and none.
  for (const [filter, records, least, most] of [
    ["raw LIKE 'XAA%'", MINUTES * STATIONS.length, 2, 1000],
    ["raw LIKE 'XAAB %'", MINUTES, 2, 1000],
    ["raw LIKE '%here%'", 12, 1, 1],
    ["raw LIKE '%nowhere%'", 0, 0, 0],
  ] as const)
    it(`reads more rows at once the fewer of them meet it, and each record once: ${filter}`, async () => {
      const request = { ...REQUEST, condition: parseCondition(filter), limit: 10_000 };
      const { range, raws } = await open(request, 10_000);
      assert.equal(range.last, undefined);
      assert.equal(raws.length, records);
      assert.equal(new Set(raws).size, records);
      assert.ok(streamed.length >= least && streamed.length <= most, `${streamed.length} statements`);
      // Those before the first bytes.
      assert.equal(judging().length, records > 20 ? 2 : 1);
    });

  it('is judged by one statement where it has far fewer rows than are judged', async () => {
    const { range, raws } = await open({ ...REQUEST, to: START + 50 * 60 }, 10_000);
    assert.deepEqual([range.last, range.rows, raws.length], [undefined, 2, 2]);
    assert.equal(selects.filter(({ query }) => query.includes('AS rows')).length, 1);
  });

  describe('while an insert brings another version of a report', () => {
    const versions = useArchive('each');
    const at = (hour: number) => new Date((START + hour * 3600) * 1000).toISOString();
    const one = (hour: number, wspd_kt: number) =>
      report({ at: at(hour), station: 'XAAA', raw: `XAAA ${hour}`, decoded: { cavok: false, wspd_kt } });
    const request: PageRequest = { ...REQUEST, condition: parseCondition('wspd_kt >= 30') };
    const read = async (of: Archive) => {
      const states = await readCoverageStates(versions.client, REQUEST.stations);
      const asked = { ...request, isWhole: false, states, format: 'ndjson' } as const;
      const sizes = { first: 1, next: 8, judged: 1 };
      const bytes = await openStream(of, asked, await fixRange(of, asked), sizes);
      return (await text(bytes)).match(/XAAA \d+/g);
    };
    const findsFirst = ({ query }: Select) => query.includes('GLOBAL IN');
    const spied = (beforeStatement: () => Promise<void>) => {
      const queries: Select[] = [];
      const stream: Archive['stream'] = async (select, signal) => {
        if (queries.length === 0) await beforeStatement();
        queries.push(select);
        return versions.client.stream(select, signal);
      };
      return { queries, client: { ...versions.client, stream } };
    };
    beforeEach(async () => {
      for (const table of ['observations', 'station_observations'])
        await versions.client.command({ query: `SYSTEM STOP MERGES ${table}` });
      await insert(versions.client, put(one(1, 35)), put(one(2, 35)), put(one(3, 5)));
    });

    it('is read in one pass without such an insert', async () => {
      const { queries, client } = spied(async () => {});
      assert.deepEqual(await read(client), ['XAAA 1', 'XAAA 2']);
      assert.deepEqual(queries.map(findsFirst), [false]);
    });

    it('has the highest version where the insert came before, once', async () => {
      await insert(versions.client, put(one(2, 5), 2 ** 31));
      await insert(versions.client, put(one(1, 35)));
      const { queries, client } = spied(async () => {});
      assert.deepEqual(await read(client), ['XAAA 1']);
      assert.deepEqual(queries.map(findsFirst), [true]);
    });

    it('has what was stored before where the insert came after the look at the parts', async () => {
      const { queries, client } = spied(() => insert(versions.client, put(one(2, 5), 2 ** 31)));
      assert.deepEqual(await read(client), ['XAAA 1', 'XAAA 2']);
      assert.deepEqual(queries.map(findsFirst), [false]);
    });

    it('has the highest version where a merge came after the look at the parts', async () => {
      await insert(versions.client, put(one(2, 5), 2 ** 31));
      const { queries, client } = spied(async () => {
        await versions.client.command({ query: 'SYSTEM START MERGES station_observations' });
        await versions.client.command({ query: 'OPTIMIZE TABLE station_observations FINAL' });
      });
      assert.deepEqual(await read(client), ['XAAA 1']);
      assert.deepEqual(queries.map(findsFirst), [true, true]);
    });
  });
});
