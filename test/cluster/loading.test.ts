import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive } from '../../clickhouse/client.ts';
import { withLayout } from '../../clickhouse/cluster.ts';
import { insertRevisions } from '../../clickhouse/observations/insert.ts';
import { deleteSource } from '../../clickhouse/observations/maintenance.ts';
import { DECODER_VERSION } from '../../loader/decode.ts';
import { startApi, type TestApi } from '../support/api/api.ts';
import { emptyArchive, newMarks, put, readAllReports, report } from '../support/archive/archive.ts';
import { list, recordDone } from '../support/archive/ledger.ts';
import { type Finished, startLoader } from '../support/process.ts';
import { type IemReplay, replayIem } from '../support/sources/replay-iem.ts';
import { LOGINS } from './server.ts';
import { reportsOf, stationsOfShards } from './station-years.ts';
import { PLACE, startTwoShards, type TwoShards } from './two-shards.ts';
import { walk, withoutRateLimit } from './walk.ts';

/** The same station-years are loaded into a cluster of two shards and into one server. */
describe('an archive on two shards, compared with one server', () => {
  let shards: TwoShards;
  let single: Awaited<ReturnType<typeof emptyArchive>>;
  let stations: readonly (readonly string[])[];
  let replay: IemReplay;
  let clients: readonly Archive[];
  let apis: readonly TestApi[];
  before(async () => {
    [shards, single] = await Promise.all([startTwoShards(), emptyArchive()]);
    stations = await stationsOfShards(shards, 2);
    replay = await replayIem(reportsOf(stations.flat(), 366));
    clients = [openArchive(shards.settingsOf('api', 0)), openArchive(shards.settingsOf('api', 1))];
    apis = await Promise.all([single.client, ...clients].map((client) => startApi(client)));
  });
  after(async () => {
    for (const api of apis ?? []) await api.stop();
    for (const client of clients ?? []) await client.close();
    await replay?.close();
    await Promise.all([shards?.stop(), single?.close()]);
  });

  /** Runs a command on the cluster and on one server. */
  async function runOnBoth(line: string): Promise<readonly [Finished, Finished]> {
    const source = { IEM_URL: replay.url };
    return Promise.all([
      startLoader(line, { ...shards.environmentOf('loader'), ...source }).finished,
      startLoader(line, { CLICKHOUSE_URL: single.url, CLICKHOUSE_DATABASE: single.database, ...source })
        .finished,
    ]);
  }
  async function assertSameOutput(line: string): Promise<string> {
    const [cluster, one] = await runOnBoth(line);
    // The archives were loaded one after the other.
    const withoutAges = (out: string) =>
      out.replaceAll(/\d{4}-\d\d-\d\dT[\d:]+Z, [^,\n]* ago/g, 'some time ago');
    assert.deepEqual([cluster.code, withoutAges(cluster.out)], [one.code, withoutAges(one.out)]);
    return cluster.out;
  }
  const range = (from: string, to: string) =>
    `stations=${stations.flat().join()}&from=${from}T00:00:00Z&to=${to}T00:00:00Z`;
  /** The bodies of the answers of all services, which are 200. */
  const askAll = (target: string) =>
    Promise.all(
      apis.map(async (api) => {
        const response = await api.get(`/v1/history/${target}`);
        const body = await response.text();
        assert.equal(response.status, 200, `${target}: ${body.slice(0, 500)}`);
        return withoutRateLimit(body);
      }),
    );

  it('is loaded by the same command, and stores each station-year as one part on one shard', async () => {
    const args = `--source iem --stations ${stations.flat().join()} --from 2024-01-01 --to 2025-01-01 --interval 0`;
    const [cluster, one] = await runOnBoth(args);
    assert.deepEqual([cluster.code, one.code], [0, 0], cluster.out + one.out);
    for (const [n, server] of shards.servers.entries()) {
      const rows = await server.ask(
        LOGINS.loader,
        'SELECT station, uniqExact(_part), count() FROM observations_shard GROUP BY station ORDER BY station',
      );
      const expected = stations[n]?.map((station) => `${station}\t1\t${reportsOf([station], 366).length}`);
      assert.deepEqual(rows.split('\n'), expected?.toSorted());
    }
  });

  it('is walked in the same bytes by way of either server', async () => {
    for (const query of [
      `${range('2024-01-01', '2025-01-01')}&include=raw,decoded&limit=2000`,
      `stations=${stations[1]?.[0]}&from=2024-03-01T00:00:00Z&to=2024-05-01T00:00:00Z&type=speci&limit=7`,
      `stations=${stations.flat().join()}&from=2024-06-01T00:00:00Z&to=2024-06-01T05:00:00Z&limit=1`,
    ]) {
      const [expected, ...others] = await Promise.all(apis.map((api) => walk(api, query)));
      assert.ok(expected !== undefined && expected.length > 10, query);
      for (const pages of others) assert.deepEqual(pages, expected);
    }
  });

  it('is streamed in the same bytes', async () => {
    for (const form of ['ndjson', 'csv', 'arrow'])
      for (const query of [
        range('2024-02-01', '2024-04-01'),
        `${range('2024-05-01', '2024-09-01')}&limit=5000`,
      ]) {
        const target = `/v1/history/observations.${form}?${query}&include=raw,decoded`;
        const responses = await Promise.all(apis.map((api) => api.get(target)));
        assert.deepEqual(
          responses.map(({ status }) => status),
          [200, 200, 200],
        );
        const [expected, ...others] = await Promise.all(
          responses.map(async (response) => [
            response.headers.get('x-next-cursor'),
            createHash('sha256')
              .update(new Uint8Array(await response.arrayBuffer()))
              .digest('hex'),
          ]),
        );
        for (const other of others) assert.deepEqual(other, expected, target);
      }
  });

  it('answers conditions, statistics and hourly series alike', async () => {
    const year = range('2024-01-01', '2025-01-01');
    const days = year.replaceAll('T00:00:00Z', '');
    const low = `filter=${encodeURIComponent("wspd_kt > 16 AND type = 'METAR' OR temp_c < -2")}`;
    const values = 'mean(temp_c),p95(temp_c),time_of_max(temp_c),stddev(wspd_kt),low:share(wspd_kt > 16)';
    const select = `select=${encodeURIComponent(values)}`;
    for (const target of [
      `observations?${year}&${low}&limit=500`,
      `observations.ndjson?${year}&${low}&include=raw,decoded`,
      `observations.csv?${year}&${low}&limit=300`,
      `statistics?${year}&${select}&by=month,hour`,
      `statistics?${year}&${select}&by=wind_sector(8),fltcat&sample=all&tz=Asia/Kathmandu`,
      `statistics.csv?${year}&${select}&${low}&by=season`,
      `statistics?stations=${stations[1]?.[0]}&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z&preset=wind-rose`,
      `daily?${days}&tz=utc`,
      `daily.csv?${days}&filter=max_temp_c > 0`,
      `normals?${days}`,
      `statistics?${days}&preset=extremes`,
      `hourly?${range('2024-03-01', '2024-03-20')}`,
      `hourly.csv?${year}&${low}`,
      `hourly.ndjson?${year}&fields=temp_c,ceiling_ft,clouds`,
    ]) {
      const [expected, ...others] = await askAll(target);
      assert.ok((expected ?? '').split(target.includes('.') ? '\n' : '},').length > 4, target);
      for (const other of others) assert.equal(other, expected, target);
    }
  });

  it('has the same coverage where days are missing, where none is done and where a station is unknown', async () => {
    const query = 'from=2023-06-01T00:00:00Z&to=2025-03-01T00:00:00Z&limit=1';
    const unknown = `stations=${stations.flat().join()},ZYYY&${query}`;
    for (const each of [unknown, range('2019-01-01', '2020-01-01')]) {
      const bodies = await askAll(`observations?${each}`);
      const coverage = bodies.map((body) => JSON.parse(body).meta.coverage);
      assert.ok(coverage[0].stations.length >= 4);
      for (const other of coverage.slice(1)) assert.deepEqual(other, coverage[0]);
    }
  });

  it('has the same status, gaps and differences from its source', async () => {
    assert.match(await assertSameOutput('status'), /2024: 1464 of 1464 station-days done, 37480 reports/);
    assert.match(
      await assertSameOutput(`gaps ${stations.flat().join()} --all --from 2023-12-25 --to 2025-01-05`),
      /--source iem/,
    );
    const [cluster, one] = await runOnBoth('verify --interval 0');
    for (const { code, out } of [cluster, one]) {
      assert.equal(code, 0, out);
      assert.match(out, /4 slices, 37480 reports compared: 0 differences/);
    }
  });

  it('has the same coverage by years', async () => {
    const bodies = await askAll(`coverage?${range('2023-12-01', '2025-02-01')}`);
    assert.match(bodies[0] ?? '', /"reports":9\d{3}/);
    assert.deepEqual(bodies.slice(1), [bodies[0], bodies[0]]);
  });

  it('loads nothing again', async () => {
    const requests = replay.requests.length;
    const args = `--source iem --stations ${stations.flat().join()} --from 2024-01-01 --to 2025-01-01 --interval 0`;
    const [cluster, one] = await runOnBoth(args);
    assert.deepEqual([cluster.code, one.code], [0, 0], cluster.out);
    assert.equal(replay.requests.length, requests);
  });

  describe('after reports of an older decoder and demo reports were added', () => {
    let writers: readonly Archive[];
    before(async () => {
      writers = [withLayout(await withQueue(), PLACE), single.client];
      const added = stations.flat().flatMap((station) => [
        report({
          station,
          at: '2023-05-01T10:51:00Z',
          decoder: 1,
          raw: `${station} 011051Z 00000KT CAVOK 10/05 Q1010`,
        }),
        report({ station, at: '2023-05-01T11:51:00Z', source: 'demo' }),
      ]);
      for (const writer of writers) {
        await insertRevisions(
          writer,
          added.map((each) => put(each)),
          newMarks(writer),
        );
        for (const station of stations.flat()) {
          await list(writer, { station, source: 'demo' });
          await recordDone(writer, '2023-05-01', '2023-05-02', { station, source: 'demo' });
        }
      }
    });
    after(() => writers[0]?.close());

    /** A client of the first server. As the DDL queue of a real cluster does, ON CLUSTER runs on each server. */
    async function withQueue(): Promise<Archive> {
      const servers = ([0, 1] as const).map((n) => {
        const { cluster, ...settings } = shards.settingsOf('loader', n);
        return openArchive(settings, 10, { distributed_foreground_insert: 1 });
      });
      const [first] = servers;
      assert.ok(first !== undefined);
      return {
        ...first,
        async command({ query, ...statement }) {
          const isQueued = query.includes(' ON CLUSTER history');
          for (const server of isQueued ? servers : [first])
            await server.command({ ...statement, query: query.replace(' ON CLUSTER history', '') });
        },
        async close() {
          await Promise.all(servers.map((server) => server.close()));
        },
      };
    }
    const reportsOf2023 = () =>
      Promise.all(
        writers.map(async (writer) => {
          const rows = await readAllReports(writer);
          return rows
            .filter(({ observedAt }) => observedAt < Date.UTC(2024, 0) / 1000)
            .map(({ station, raw, source, decoder }) => `${station} ${source} ${decoder} ${raw}`)
            .toSorted();
        }),
      );

    it('is decoded again', async () => {
      const [cluster, one] = await runOnBoth('redecode');
      assert.deepEqual([cluster.code, one.code], [0, 0], cluster.out);
      const [stored, expected] = await reportsOf2023();
      assert.equal(stored?.length, 8);
      assert.ok(stored?.every((line) => line.split(' ')[2] === String(DECODER_VERSION)));
      assert.deepEqual(stored, expected);
    });

    it('loses the demo reports, on every shard and in every table', async () => {
      for (const writer of writers) await deleteSource(writer, 'demo');
      const [stored, expected] = await reportsOf2023();
      assert.deepEqual(stored, expected);
      assert.equal(stored?.length, 4);
      assert.ok(stored?.every((line) => line.split(' ')[1] === 'iem'));
      for (const table of ['observations', 'coverage', 'slices', 'stations'])
        assert.equal(
          await shards.servers[1].ask(LOGINS.loader, `SELECT count() FROM ${table} WHERE source = 'demo'`),
          '0',
          table,
        );
    });
  });
});
