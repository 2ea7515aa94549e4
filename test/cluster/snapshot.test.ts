import assert from 'node:assert/strict';
import { openArchive } from '../../clickhouse/client.ts';
import { emptyArchive, type TestArchive } from '../support/archive/archive.ts';
import { startLoader } from '../support/process.ts';
import { assertSameArchive } from '../support/snapshot/described-archive.ts';
import { type IemReplay, replayIem } from '../support/sources/replay-iem.ts';
import { newFolder } from '../support/test-run.ts';
import { LOGINS } from './server.ts';
import { reportsOf, stationsOfShards } from './station-years.ts';
import { startTwoShards, type TwoShards } from './two-shards.ts';

/** The archive of one server goes to two shards, and back to another server. */
describe('a snapshot of one server on two shards (D50)', () => {
  let shards: TwoShards;
  let single: TestArchive;
  let other: TestArchive;
  let stations: readonly string[];
  let replay: IemReplay;
  let folder: string;
  before(async () => {
    [shards, single, other] = await Promise.all([startTwoShards(), emptyArchive(), emptyArchive()]);
    stations = (await stationsOfShards(shards, 2)).flat();
    replay = await replayIem(reportsOf(stations, 40));
    folder = newFolder();
  });
  after(async () => {
    await replay?.close();
    await Promise.all([shards?.stop(), single?.close(), other?.close()]);
  });

  const environmentOf = ({ url, database }: TestArchive) => ({
    CLICKHOUSE_URL: url,
    CLICKHOUSE_DATABASE: database,
    IEM_URL: replay.url,
  });
  async function run(line: string, environment: Readonly<Record<string, string>>): Promise<void> {
    const { code, out } = await startLoader(line, environment).finished;
    assert.equal(code, 0, out);
  }

  it('gives the same archive, on each shard the reports of its stations', async () => {
    const days = '--from 2024-01-01 --to 2024-02-10';
    await run(`--source iem --stations ${stations.join()} ${days} --interval 0`, environmentOf(single));
    await run(`export ${folder}/single`, environmentOf(single));
    const refused = await startLoader(`restore ${folder}/single`, shards.environmentOf('api')).finished;
    assert.equal(refused.code, 2, refused.out);
    assert.match(refused.stderr, /may not write to the archive: run the same command as history_loader/);
    await run(`restore ${folder}/single`, shards.environmentOf('loader'));
    const cluster = openArchive(shards.settingsOf('loader'));
    try {
      const { coverage = '' } = await assertSameArchive(cluster, single.client, stations);
      assert.match(coverage, /"daysDone":40/);
    } finally {
      await cluster.close();
    }
    for (const server of shards.servers)
      assert.equal(
        await server.ask(LOGINS.loader, 'SELECT uniqExact(station) FROM observations_shard'),
        String(stations.length / 2),
      );
  });

  it('is exported from the shards by a user who may only read, and gives the first archive again', async () => {
    await run(`export ${folder}/cluster`, shards.environmentOf('api'));
    await run(`restore ${folder}/cluster`, environmentOf(other));
    await assertSameArchive(other.client, single.client, stations);
  });
});
