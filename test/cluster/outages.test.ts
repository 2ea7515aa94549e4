import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive } from '../../clickhouse/client.ts';
import { OBSERVATIONS, startApi, type TestApi } from '../support/api/api.ts';
import { readAllReports } from '../support/archive/archive.ts';
import { startLoader } from '../support/process.ts';
import { type IemReplay, replayIem } from '../support/sources/replay-iem.ts';
import { reportsOf, stationsOfShards } from './station-years.ts';
import { startTwoShards, type TwoShards } from './two-shards.ts';
import { readPage, walk, withoutRateLimit } from './walk.ts';

const DAYS = 60;

describe('a cluster with a server that is killed', () => {
  let shards: TwoShards;
  let stations: readonly [readonly string[], readonly string[]];
  let replay: IemReplay;
  let client: Archive;
  let api: TestApi;
  before(async () => {
    shards = await startTwoShards();
    stations = await stationsOfShards(shards, 4);
    replay = await replayIem(reportsOf(stations.flat(), DAYS));
    client = openArchive(shards.settingsOf('api'));
    api = await startApi(client);
    const { code, out } = await load([stations[0][0] ?? '', stations[1][0] ?? '']).finished;
    assert.equal(code, 0, out);
  });
  afterEach(() => Promise.all(shards.servers.map((server) => server.start())));
  after(async () => {
    await api?.stop();
    await client?.close();
    await replay?.close();
    await shards?.stop();
  });

  const load = (some: readonly string[]) =>
    startLoader(`--source iem --stations ${some.join()} --from 2024-01-01 --to 2024-03-01 --interval 0`, {
      ...shards.environmentOf('loader'),
      IEM_URL: replay.url,
    });
  const queryOf = (some: readonly string[]) =>
    `stations=${some.join()}&from=2024-01-01T00:00:00Z&to=2024-03-01T00:00:00Z&limit=100`;
  const idsOf = (pages: readonly { readonly body: string }[]) =>
    pages.flatMap(({ body }) => JSON.parse(body).data.map(({ id }: { readonly id: string }) => id));

  async function assertUnavailable(query: string): Promise<void> {
    const startedAt = performance.now();
    const response = await api.get(`${OBSERVATIONS}?${query}`);
    const body = await response.json();
    assert.equal(response.status, 503, JSON.stringify(body).slice(0, 500));
    assert.equal((body as { readonly code: string }).code, 'storage_unavailable');
    // A query may take thirty seconds.
    assert.ok(performance.now() - startedAt < 20_000);
  }

  for (const [n, name] of [
    [1, 'a shard'],
    [0, 'the server with the small tables'],
  ] as const) {
    it(`answers 503 in the middle of a walk without ${name}, and goes on when it is back`, async () => {
      const query = queryOf([stations[0][0] ?? '', stations[1][0] ?? '']);
      const expected = await walk(api, query);
      const first = await readPage(api, query, '');
      await shards.servers[n].kill();
      // For a second pages come from memory.
      await sleep(1100);
      for (let request = 0; request < 5; request += 1)
        await assertUnavailable(`${query}&cursor=${first.nextCursor}`);
      await shards.servers[n].start();
      const rest = await walk(api, query, first.nextCursor);
      assert.deepEqual(idsOf([first, ...rest]), idsOf(expected));
    });

    it(`loses no report when ${name} is killed in the middle of a load`, async () => {
      const some = [...stations[0].slice(1 + n, 2 + n), ...stations[1].slice(1 + n, 2 + n)];
      const before = replay.requests.length;
      const loader = load(some);
      let hasEnded = false;
      void loader.finished.then(() => {
        hasEnded = true;
      });
      while (replay.requests.length === before) await sleep(5);
      await shards.servers[n].kill();
      await sleep(1000);
      assert.ok(!hasEnded, 'the server was killed too late');
      await shards.servers[n].start();
      const { code, out } = await loader.finished;
      assert.equal(code, 0, out);
      await assertStored(some);
    });
  }

  it('never answers with a part of a page', async () => {
    // Without a cache, so that each response is read from both shards.
    const uncached = await startApi(client, { pageCacheBytes: 0 });
    const query = queryOf([stations[0][0] ?? '', stations[1][0] ?? '']);
    const { body } = await readPage(uncached, query, '');
    let isRunning = true;
    const statuses = new Map<number, number>();
    const read = async () => {
      const key = await uncached.createKey();
      while (isRunning) {
        const response = await uncached.get(`${OBSERVATIONS}?${query}`, { key });
        const text = await response.text();
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        if (response.status === 200) assert.equal(withoutRateLimit(text), body);
        else
          assert.equal(
            response.status,
            503,
            uncached.logLines.filter((line) => line.includes('"level":"error"')).join('\n'),
          );
        await sleep(20);
      }
    };
    const kill = async () => {
      for (let time = 0; time < 3; time += 1) {
        await sleep(500);
        await shards.servers[1].kill();
        await sleep(300);
        await shards.servers[1].start();
      }
      await sleep(500);
    };
    const stop = kill().finally(() => {
      isRunning = false;
    });
    await Promise.all([stop, read(), read(), read()]);
    await uncached.stop();
    assert.ok((statuses.get(200) ?? 0) > 0 && (statuses.get(503) ?? 0) > 0, JSON.stringify([...statuses]));
  });

  it('stores each report once when two loaders load the same stations at the same time', async () => {
    const some = [stations[0][3] ?? '', stations[1][3] ?? ''];
    for (const { code, out } of await Promise.all([load(some).finished, load(some).finished]))
      assert.equal(code, 0, out);
    await assertStored(some);
  });

  /** Each report of the source once, under one type, and all days done. */
  async function assertStored(some: readonly string[]): Promise<void> {
    for (const station of some) {
      const stored = await readAllReports(client, station);
      const expected = reportsOf([station], DAYS);
      assert.deepEqual(
        stored.map(({ raw }) => raw).toSorted(),
        expected.map(({ metar }) => metar).toSorted(),
      );
      assert.equal(new Set(stored.map(({ observedAt }) => observedAt)).size, expected.length);
    }
    const response = await api.get(`${OBSERVATIONS}?${queryOf(some)}`);
    assert.equal(JSON.parse(await response.text()).meta.coverage.status, 'complete');
  }
});
