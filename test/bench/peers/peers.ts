import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeRun } from '../machine.ts';
import { publish } from '../markdown.ts';
import { startApi } from '../read/api.ts';
import { openBenchArchive } from '../read/archive.ts';
import { queriesOf } from '../read/queries.ts';
import { targetsTable } from '../read/tables.ts';
import { comparePeers } from './compare.ts';
import { openPeers } from './open-peers.ts';
import { peersTable } from './table.ts';
import { peerTargets } from './targets.ts';

/** Pages, walks and ranges over HTTP, compared with PostgreSQL and DuckDB on the same synthetic reports. */
export async function benchPeers(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '20' },
      data: { type: 'string', default: join(tmpdir(), 'history-bench') },
      write: { type: 'string' },
    },
  });
  const { rows, rounds, data, write } = values;
  const archive = await openBenchArchive(Number(rows), data);
  try {
    const api = await startApi(archive.engine);
    try {
      const peers = await openPeers(archive);
      try {
        const queries = (await queriesOf(archive)).filter(({ encoding }) => encoding === undefined);
        const results = await comparePeers(archive, api, peers, queries, Number(rounds));
        await publish(write, [
          await describeRun(archive.engine, 'Other databases', `peers --rows ${rows} --rounds ${rounds}`),
          targetsTable(peerTargets(results)),
          peersTable(results),
        ]);
      } finally {
        await peers.close();
      }
    } finally {
      await api.stop();
    }
  } finally {
    await archive.close();
  }
}
