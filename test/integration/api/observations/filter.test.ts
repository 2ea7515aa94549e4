import assert from 'node:assert/strict';
import { parquetMetadata } from 'hyparquet';
import type { ObservationsPage } from '../../../../api/client/client.d.ts';
import { parseCondition } from '../../../../clickhouse/conditions/parse-condition.ts';
import type { Report } from '../../../../clickhouse/model/report.ts';
import { REPORT_TABLES } from '../../../../clickhouse/statements/current-reports.ts';
import { OBSERVATIONS, startApi, useApi } from '../../../support/api/api.ts';
import { insert, put, report, retract, useArchive } from '../../../support/archive/archive.ts';
import { recordId } from '../../../support/archive/records.ts';
import { judge } from '../../../support/conditions/judge.ts';
import { RandomConditions } from '../../../support/conditions/random-conditions.ts';
import { randomDecoded } from '../../../support/conditions/random-decoded.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions, seeds } from '../../../support/repetitions.ts';

const STATIONS = ['XAAA', 'XBBB', 'XCCC'];
const START = Date.parse('2024-01-01T00:00:00Z');
const REPORTS = 2000;

type Query = Readonly<Record<string, string>>;
type WithId = { readonly id: string };

describe('filter of observations (D42)', () => {
  const archive = useArchive();
  /** What the archive holds, by id. */
  const current = new Map<string, Report>();

  const base = (more: Query = {}) => ({
    stations: STATIONS.join(),
    from: '2024-01-01T00:00:00Z',
    to: '2024-03-01T00:00:00Z',
    include: 'raw,decoded',
    ...more,
  });
  const request = (query: Query, extension = '', options = {}) =>
    api.get(`${OBSERVATIONS}${extension}?${new URLSearchParams(query)}`, options);
  const walk = (query: Query) => api.walk<WithId>(`${OBSERVATIONS}?${new URLSearchParams(query)}`);

  before(async () => {
    const random = seededRandom(42);
    const revisions = Array.from({ length: REPORTS }, (_, n) => {
      const first = report({
        at: new Date(START + Math.floor(n / 4) * 1_800_000).toISOString(),
        station: STATIONS[n % 3] as string,
        type: random() < 0.2 ? 'SPECI' : 'METAR',
        clean: random() >= 0.1,
        fingerprint: n.toString(16).padStart(8, '0'),
        decoded: randomDecoded(random),
      });
      // Some are decoded anew, so that an older version meets other conditions; some are void.
      if (n % 3 === 0) {
        const second: Report = { ...first, decoded: randomDecoded(random), clean: true };
        current.set(recordId(second), second);
        return [put(first, 100), put(second, 200)];
      }
      if (n % 17 === 0) return [put(first, 100), retract(first, 200)];
      current.set(recordId(first), first);
      return [put(first, 100)];
    });
    // Versions in parts of their own, which no merge has combined.
    for (const table of REPORT_TABLES) await archive.client.command({ query: `SYSTEM STOP MERGES ${table}` });
    for (const version of [0, 1])
      await insert(archive.client, ...revisions.flatMap((each) => each[version] ?? []));
  });
  const api = useApi(() => startApi(archive.client));

  for (const seed of seeds(5))
    it(`gives those records of a walk without a filter for which it is true, seed ${seed}`, async () => {
      const random = seededRandom(seed);
      const conditions = new RandomConditions(random);
      const all = await walk(base());
      assert.deepEqual(new Set(all.map(({ id }) => id)), new Set(current.keys()));
      let found = 0;
      for (let n = 0; n < repetitions({ usual: 4, long: 80 }); n += 1) {
        const filter = conditions.next(2);
        const condition = parseCondition(filter);
        const expected = all.filter(({ id }) => judge(condition, current.get(id) as Report) === true);
        const limit = String(100 + Math.floor(random() ** 2 * 2000));
        assert.deepEqual(await walk(base({ filter, limit })), expected, filter);
        const target = `${OBSERVATIONS}.ndjson?${new URLSearchParams(base({ filter }))}`;
        assert.deepEqual(await api.lines(target), expected, filter);
        const parquet = await (await request(base({ filter }), '.parquet')).arrayBuffer();
        assert.equal(Number(parquetMetadata(parquet).num_rows), expected.length, filter);
        found += expected.length;
      }
      assert.ok(found > 300, `${found} records`);
    });

  it('cuts a stream at its limit among the records that meet it', async () => {
    const filter = 'temp_c < 0';
    const all = (await walk(base({ filter }))).map(({ id }) => id);
    const ids: string[] = [];
    for (let cursor: string | undefined; ; ) {
      const query = base({ filter, limit: '100', include: 'raw', ...(cursor !== undefined && { cursor }) });
      const answer = await request(query, '.csv');
      const lines = (await answer.text()).trim().split('\r\n').slice(1);
      ids.push(...lines.map((line) => line.split(',')[0]?.replaceAll('"', '') ?? ''));
      cursor = answer.headers.get('X-Next-Cursor') ?? undefined;
      assert.equal(answer.headers.get('X-Has-More'), String(cursor !== undefined));
      if (cursor === undefined) break;
      assert.equal(lines.length, 100);
    }
    assert.deepEqual(ids, all);
    // Exactly as many as there are is the whole.
    const exact = await request(base({ filter, limit: String(all.length) }), '.csv');
    assert.equal(exact.headers.get('X-Has-More'), 'false');
  });

  it('binds a cursor and a page in memory to its meaning, not to its spelling', async () => {
    const pageOf = async (query: Query) =>
      (await (await request(query)).json()) as ObservationsPage & { code?: string };
    const { meta, data } = await pageOf(base({ filter: 'temp_c < 0', limit: '5' }));
    const cursor = meta.nextCursor ?? '';
    const same = await pageOf(base({ filter: ' 0.0>temp_c ', limit: '5', cursor }));
    assert.equal(same.data.length, 5);
    const tags = await Promise.all(
      ['temp_c < 0', 'temp_c<0e0', 'temp_c <= 0'].map(async (filter) =>
        (await request(base({ filter, limit: '5' }))).headers.get('ETag'),
      ),
    );
    assert.equal(tags[0], tags[1]);
    assert.notDeepEqual((await pageOf(base({ limit: '5' }))).data, data);
    for (const other of [{ filter: 'temp_c <= 0' }, { filter: 'NOT temp_c < 0' }, {}])
      assert.equal((await pageOf(base({ ...other, cursor }))).code, 'cursor_mismatch');
    const headers = { 'If-None-Match': tags[0] };
    const unchanged = await request(base({ filter: 'temp_c < 0', limit: '5' }), '', { headers });
    assert.equal(unchanged.status, 304);
  });

  it('knows the decoded fields also where they are not included', async () => {
    const filter = 'visib_m < 800 OR ceiling_ft < 200';
    const plain = await walk(base({ filter, include: 'raw' }));
    assert.deepEqual(
      plain.map(({ id }) => id),
      (await walk(base({ filter }))).map(({ id }) => id),
    );
    assert.ok(plain.length > 0 && plain.every((record) => !('decoded' in record)));
  });

  it('takes any text in any condition without harm', async () => {
    const texts = [
      ...["' OR 1=1 --", '"; DROP TABLE observations', '\0\u0001', '{filter0:String}'],
      ...['é😀\\', '%_\\%', '\t\n\r'],
    ];
    for (const text of texts) {
      const quoted = text.replaceAll("'", "''");
      const filter = `wx = '${quoted} ' OR wx IN ('${quoted} ', 'RA') OR wx LIKE '${quoted} '`;
      const answer = await request(base({ filter, limit: '3' }));
      assert.equal(answer.status, 200, `${JSON.stringify(filter)}: ${await answer.text()}`);
    }
    const longest = `wx LIKE '${'%_'.repeat(494)}'`;
    assert.equal((await request(base({ filter: longest, limit: '3' }))).status, 200);
    const widest = Array(20).fill('ceiling_ft < 1000 ').join(' OR ');
    assert.equal((await request(base({ filter: widest, limit: '3' }))).status, 200);
    assert.equal((await walk(base())).length, current.size);
  });
});
