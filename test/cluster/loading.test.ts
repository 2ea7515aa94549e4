import assert from 'node:assert/strict';
import type { ClickHouseClient } from '@clickhouse/client';
import { after, before, describe, it } from 'mocha';
import { openArchive } from '../../clickhouse/client.ts';
import { startApi, type TestApi } from '../support/api.ts';
import { emptyArchive } from '../support/archive.ts';
import { folderOf, type TemporaryFolder } from '../support/iem-folder.ts';
import { type LoaderExit, startLoader } from '../support/loader-process.ts';
import { type IemReplay, replayIem } from '../support/replay-iem.ts';
import { LOGINS } from './server.ts';
import { reportsOf, stationsOfShards } from './station-years.ts';
import { startTwoShards, type TwoShards } from './two-shards.ts';
import { walk } from './walk.ts';

/** The same station-years are loaded into a cluster of two shards and into one server. */
describe('an archive on two shards, beside one server', function () {
  this.timeout(60_000);
  let shards: TwoShards;
  let single: Awaited<ReturnType<typeof emptyArchive>>;
  let stations: readonly (readonly string[])[];
  let folder: TemporaryFolder;
  let replay: IemReplay;
  let clients: readonly ClickHouseClient[];
  let apis: readonly TestApi[];
  before(async () => {
    [shards, single] = await Promise.all([startTwoShards(), emptyArchive()]);
    stations = await stationsOfShards(shards, 2);
    folder = await folderOf(reportsOf(stations.flat(), 366));
    replay = await replayIem({ folder: folder.path });
    clients = [openArchive(shards.settingsOf('api', 0)), openArchive(shards.settingsOf('api', 1))];
    apis = await Promise.all([single.client, ...clients].map((client) => startApi(client)));
  });
  after(async () => {
    for (const api of apis ?? []) await api.stop();
    for (const client of clients ?? []) await client.close();
    await replay?.close();
    await folder?.remove();
    await Promise.all([shards?.stop(), single?.close()]);
  });

  /** Runs a command on the cluster and on one server. */
  async function runOnBoth(line: string): Promise<readonly [LoaderExit, LoaderExit]> {
    const source = { IEM_URL: replay.url };
    return Promise.all([
      startLoader(line, { ...shards.environmentOf('loader'), ...source }).ended,
      startLoader(line, { CLICKHOUSE_URL: single.url, CLICKHOUSE_DATABASE: single.database, ...source })
        .ended,
    ]);
  }
  async function assertSameOutput(line: string): Promise<string> {
    const [cluster, one] = await runOnBoth(line);
    assert.deepEqual(cluster, one);
    return cluster.out;
  }
  const range = (from: string, to: string) =>
    `stations=${stations.flat().join()}&from=${from}T00:00:00Z&to=${to}T00:00:00Z`;

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

  it('has the same coverage where days are missing, where none is done and where a station is unknown', async () => {
    const query = 'from=2023-06-01T00:00:00Z&to=2025-03-01T00:00:00Z&limit=1';
    const unknown = `stations=${stations.flat().join()},ZYYY&${query}`;
    const outside = `stations=${stations.flat().join()}&from=2019-01-01T00:00:00Z&to=2020-01-01T00:00:00Z`;
    for (const each of [unknown, outside]) {
      const responses = await Promise.all(apis.map((api) => api.get(`/v1/history/observations?${each}`)));
      const bodies = await Promise.all(responses.map((response) => response.text()));
      const coverage = bodies.map((body) => JSON.parse(body).meta.coverage);
      assert.ok(coverage[0].stations.length >= 4);
      for (const other of coverage.slice(1)) assert.deepEqual(other, coverage[0]);
    }
  });

  it('has the same status, gaps and differences from its source', async () => {
    assert.match(await assertSameOutput('status'), /2024: 1464 of 1464 station-days done, 37480 reports/);
    assert.match(
      await assertSameOutput(`gaps --stations ${stations.flat().join()} --from 2023-12-25 --to 2025-01-05`),
      /--source iem/,
    );
    const [cluster, one] = await runOnBoth('verify --interval 0');
    for (const { code, out } of [cluster, one]) {
      assert.equal(code, 0, out);
      assert.match(out, /4 slices, 37480 reports compared: 0 differences/);
    }
  });

  it('loads nothing again', async () => {
    const requests = replay.requests.length;
    const args = `--source iem --stations ${stations.flat().join()} --from 2024-01-01 --to 2025-01-01 --interval 0`;
    const [cluster, one] = await runOnBoth(args);
    assert.deepEqual([cluster.code, one.code], [0, 0], cluster.out);
    assert.equal(replay.requests.length, requests);
  });
});
