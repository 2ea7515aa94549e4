import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive, readInsertSettings } from '../../clickhouse/client.ts';
import { assertSurvives, KILLS } from '../support/days/kills.ts';
import { LOGINS } from './server.ts';
import { stationsOfShards } from './station-years.ts';
import { startTwoShards, type TwoShards } from './two-shards.ts';

describe('days on two shards, whose loader was killed', () => {
  let shards: TwoShards;
  let loader: Archive;
  before(async () => {
    shards = await startTwoShards();
    const settings = shards.settingsOf('loader');
    loader = openArchive(settings, 10, await readInsertSettings(settings));
  });
  after(async () => {
    await loader?.close();
    await shards?.stop();
  });

  const truncate = async (table: string) => {
    const [stored, servers] =
      table === 'writers' ? [table, shards.servers.slice(0, 1)] : [`${table}_shard`, shards.servers];
    const query = `ALTER TABLE ${stored} DELETE WHERE true SETTINGS mutations_sync = 2`;
    await Promise.all(servers.map((server) => server.ask(LOGINS.admin, query)));
  };

  for (const [n, kill] of KILLS.entries())
    it(`${kill[0]}, are computed, and then those of the next loader`, async () => {
      const stations = await stationsOfShards(shards, KILLS.length);
      await assertSurvives(
        loader,
        stations.map((some) => some[n] as string),
        kill,
        truncate,
      );
    });
});
