import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { recordId } from '../../../../clickhouse/model/fingerprint.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { HISTORY, QUERY, startApi, type TestApi } from '../../../support/api.ts';
import { emptyArchive, insert, put, report } from '../../../support/archive.ts';

type Rec = {
  id: string;
  station: string;
  observedAt: string;
  type: string;
  raw?: string;
  decoded?: object;
  parseStatus: string;
};
type Answer = {
  data: Rec[];
  meta: {
    hasMore: boolean;
    nextCursor?: string;
    coverage: {
      status: string;
      stations: { station: string; status: string; yearsDone: number; yearsAll: number }[];
    };
    rateLimit: { plan: string; limitPerSecond: number; remaining: number };
  };
};

/** Three stations, three days: hourly reports, some SPECI in the very minute of a METAR, some corrections. */
function reports(): readonly Report[] {
  const made: Report[] = [];
  for (let hour = 0; hour < 72; hour += 1)
    for (const station of ['XAAA', 'XAAB', 'XAAC']) {
      const at = new Date(Date.UTC(2024, 0, 30, hour)).toISOString();
      made.push(report({ at, station, raw: `METAR ${station} ${hour} first` }));
      if (hour % 3 === 0)
        made.push(report({ at, station, type: 'SPECI', raw: `SPECI ${station} ${hour} special` }));
      if (hour % 5 === 0) made.push(report({ at, station, raw: `METAR ${station} ${hour} COR second` }));
    }
  return made;
}

/** D12: observedAt, station, METAR before SPECI, id. */
function inOrder(all: readonly Report[]): readonly string[] {
  const key = (of: Report) => `${of.observedAt} ${of.station} ${of.type} ${recordId(of)}`;
  return [...all].sort((a, b) => (key(a) < key(b) ? -1 : 1)).map(recordId);
}

describe('the pages of the archive', () => {
  const all = reports();
  let archive: Awaited<ReturnType<typeof emptyArchive>>;
  let api: TestApi;
  before(async () => {
    archive = await emptyArchive();
    await insert(archive.client, ...all.map((one) => put(one)));
    api = await startApi(archive.client);
  });
  after(async () => {
    await api.stop();
    await archive.close();
  });

  const RANGE = 'from=2024-01-30T00:00:00Z&to=2024-02-02T00:00:00Z';
  const THREE = `stations=XAAC,XAAA,XAAB&${RANGE}`;

  async function read(query: string): Promise<Answer> {
    const response = await api.get(`${HISTORY}?${query}`);
    assert.equal(response.status, 200, `${query}: ${response.status}`);
    return (await response.json()) as Answer;
  }

  /** All pages, a key of its own for each walk, for a walk may be longer than a plan's second. */
  async function walk(query: string): Promise<string[]> {
    const ids: string[] = [];
    let cursor = '';
    for (;;) {
      const key = await api.createKey();
      const response = await api.get(`${HISTORY}?${query}${cursor}`, { key });
      const { data, meta } = (await response.json()) as Answer;
      ids.push(...data.map(({ id }) => id));
      assert.equal(meta.hasMore, meta.nextCursor !== undefined);
      if (!meta.hasMore) return ids;
      cursor = `&cursor=${meta.nextCursor}`;
    }
  }

  it('are one sorted list without repeats or holes, laid end to end (D12)', async () => {
    const expected = inOrder(all);
    for (const limit of [7, 100, expected.length - 1, expected.length, 10_000])
      assert.deepEqual(await walk(`${THREE}&limit=${limit}`), expected, `limit ${limit}`);
  });

  it('may have one record each', async () => {
    const end = Date.UTC(2024, 0, 30, 13) / 1000;
    const expected = inOrder(all.filter(({ station, observedAt }) => station === 'XAAB' && observedAt < end));
    assert.deepEqual(
      await walk('stations=XAAB&from=2024-01-30T00:00:00Z&to=2024-01-30T13:00:00Z&limit=1'),
      expected,
    );
  });

  it('hold one type when one is asked for (D20)', async () => {
    for (const type of ['METAR', 'SPECI'])
      assert.deepEqual(
        await walk(`${THREE}&type=${type.toLowerCase()}&limit=13`),
        inOrder(all.filter((one) => one.type === type)),
      );
    assert.deepEqual(await walk(`${THREE}&type=all`), inOrder(all));
  });

  it('include their lower bound and exclude their upper one', async () => {
    const { data } = await read('stations=XAAA&from=2024-01-30T01:00:00Z&to=2024-01-30T02:00:00Z');
    assert.deepEqual(
      data.map(({ observedAt }) => observedAt),
      ['2024-01-30T01:00:00Z'],
    );
    const next = await read('stations=XAAA&from=2024-01-30T01:00:00.001Z&to=2024-01-30T02:00:00.001Z');
    assert.deepEqual(
      next.data.map(({ observedAt }) => observedAt),
      ['2024-01-30T02:00:00Z'],
    );
  });

  it('show what was asked for of each record (D7, D10, D21)', async () => {
    const shown: Record<string, [string[], string]> = {
      '': [['id', 'observedAt', 'parseStatus', 'raw', 'station', 'type'], 'raw_only'],
      '&include=raw': [['id', 'observedAt', 'parseStatus', 'raw', 'station', 'type'], 'raw_only'],
      '&include=decoded': [['decoded', 'id', 'observedAt', 'parseStatus', 'station', 'type'], 'parsed'],
      '&include=decoded,raw': [
        ['decoded', 'id', 'observedAt', 'parseStatus', 'raw', 'station', 'type'],
        'parsed',
      ],
    };
    for (const [include, [names, parseStatus]] of Object.entries(shown)) {
      const { data } = await read(`${THREE}&limit=1${include}`);
      assert.deepEqual(Object.keys(data[0] ?? {}).sort(), names, include);
      assert.equal(data[0]?.parseStatus, parseStatus);
    }
  });

  it('carry the coverage of each distinct station in the order first requested (D16)', async () => {
    const { meta, data } = await read(
      `stations=XAAD,XAAA,XAAD&from=2023-12-31T00:00:00Z&to=2024-02-02T00:00:00Z&limit=1`,
    );
    assert.equal(data.length, 1);
    assert.deepEqual(meta.coverage, {
      status: 'partial',
      stations: [
        { station: 'XAAD', status: 'none', yearsDone: 0, yearsAll: 2 },
        { station: 'XAAA', status: 'partial', yearsDone: 0, yearsAll: 2 },
      ],
    });
  });

  it('are empty, and say so, where the archive holds nothing', async () => {
    for (const range of [
      'from=2020-01-01T00:00:00Z&to=2020-02-01T00:00:00Z',
      'from=1890-01-01T00:00:00Z&to=1891-01-01T00:00:00Z',
      'from=2190-01-01T00:00:00Z&to=2191-01-01T00:00:00Z',
      'from=0000-01-01T00:00:00Z&to=0001-01-01T00:00:00Z',
      'from=9999-01-01T00:00:00Z&to=9999-12-31T23:59:59.9999Z',
    ]) {
      const { data, meta } = await read(`stations=XAAA&${range}`);
      assert.deepEqual(data, []);
      assert.deepEqual([meta.hasMore, meta.coverage.status], [false, 'none']);
    }
    assert.equal(
      (await walk('stations=XAAA&from=0000-01-01T00:00:00Z&to=9999-12-31T23:59:59Z')).length,
      inOrder(all.filter(({ station }) => station === 'XAAA')).length,
    );
  });

  it('tell the plan and the numbers of the headers (meta, rule 2)', async () => {
    const key = await api.createKey('starter');
    const response = await api.get(`${HISTORY}?${QUERY}`, { key });
    const { meta } = (await response.json()) as Answer;
    assert.deepEqual(meta.rateLimit, { plan: 'starter', limitPerSecond: 10, remaining: 9 });
    assert.equal(response.headers.get('x-ratelimit-limit'), '10');
    assert.equal(response.headers.get('x-ratelimit-remaining'), '9');
  });

  it('link to the next one as long as the link is below 2 kB (D31)', async () => {
    const first = await api.get(`${HISTORY}?${THREE}&limit=5`);
    const link = /^<([^>]+)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const { meta } = (await first.json()) as Answer;
    const followed = await api.get(link);
    const direct = await read(`${THREE}&limit=5&cursor=${meta.nextCursor}`);
    assert.deepEqual(((await followed.json()) as Answer).data, direct.data);

    const last = await api.get(`${HISTORY}?${THREE}`);
    assert.equal(last.headers.get('link'), null);
    const many = Array.from({ length: 500 }, (_, n) => `X${n.toString(36).toUpperCase().padStart(3, '0')}`);
    const long = await api.get(`${HISTORY}?stations=XAAA,${many}&${RANGE}&limit=1`);
    assert.equal(((await long.json()) as Answer).meta.hasMore, true);
    assert.equal(long.headers.get('link'), null);
  });

  it('go on from a cursor with another limit, another key and another spelling, and with no other filter (D23)', async () => {
    const { meta } = await read(`${THREE}&limit=50`);
    const respelt = `stations=XAAA,XAAB,XAAC,XAAA&from=2024-01-30T00:00:00.0z&to=2024-02-02T00:00:00-00:00&type=all`;
    const rest = await read(`${respelt}&cursor=${meta.nextCursor}&limit=10000`);
    assert.deepEqual(
      rest.data.map(({ id }) => id),
      inOrder(all).slice(50),
    );
    const changed = await api.get(`${HISTORY}?${THREE}&type=metar&cursor=${meta.nextCursor}`);
    assert.equal(changed.status, 400);
    assert.equal(((await changed.json()) as { code: string }).code, 'cursor_mismatch');
  });
});
