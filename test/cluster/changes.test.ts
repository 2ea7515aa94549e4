import assert from 'node:assert/strict';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive } from '../../clickhouse/client.ts';
import { ArchiveChanges } from '../../clickhouse/coverage/changes.ts';
import { insert, NO_LIMIT, put, report } from '../support/archive/archive.ts';
import { list, recordDone } from '../support/archive/ledger.ts';
import { stationsOfShards } from './station-years.ts';
import { startTwoShards, type TwoShards } from './two-shards.ts';

describe('changes of an archive on two shards', () => {
  let shards: TwoShards;
  let loader: Archive;
  let clients: readonly Archive[];
  let stations: readonly [readonly string[], readonly string[]];
  before(async () => {
    shards = await startTwoShards();
    stations = await stationsOfShards(shards, 3);
    loader = openArchive(shards.settingsOf('loader'), 10, { distributed_foreground_insert: 1 });
    clients = [openArchive(shards.settingsOf('api', 0)), openArchive(shards.settingsOf('api', 1))];
    await list(loader, {});
    await recordDone(loader, '2024-01-01', '2024-02-01');
    for (const station of [stations[0][0], stations[1][0]])
      await insert(loader, put(report({ station: station ?? '', at: '2024-03-01T00:51:00Z' })));
  });
  after(async () => {
    for (const client of [loader, ...(clients ?? [])]) await client?.close();
    await shards?.stop();
  });

  it('name the stations of new rows of either shard, though their parts have the same names', async () => {
    const readers = clients.map((client) => new ArchiveChanges(client));
    const read = () => Promise.all(readers.map((reader) => reader.read(NO_LIMIT)));
    assert.deepEqual(await read(), ['all', 'all']);
    assert.deepEqual(await read(), [new Set(), new Set()]);
    let known = 0;
    for (const [n, shard] of ([0, 1, 1, 0, 1, 0, 0, 1] as const).entries()) {
      const station = stations[shard][1] ?? '';
      await insert(loader, put(report({ station, at: `2024-03-01T0${n}:51:00Z` })));
      // A merge between the two statements of a reader makes everything unknown.
      for (const changed of await read())
        if (changed !== 'all') {
          assert.ok(changed.has(station), `${station}: ${[...changed]}`);
          known += 1;
        }
    }
    assert.ok(known > 8, `${known} of 16`);
  });
});
