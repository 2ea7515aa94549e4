import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Results } from '../figures.ts';
import { describeArchive } from '../machine.ts';
import { withBenchApi } from '../read/api.ts';
import { queriesOf } from '../read/queries.ts';
import { comparePeers } from './compare.ts';
import { peerSections } from './figures.ts';
import { openPeers } from './open-peers.ts';

/** Pages, walks and ranges over HTTP, compared with PostgreSQL and DuckDB on the same synthetic reports. */
export async function benchPeers(args: readonly string[]): Promise<Results> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '1000000' },
      rounds: { type: 'string', default: '20' },
      data: { type: 'string', default: join(tmpdir(), 'history-bench') },
    },
  });
  const { data } = values;
  return withBenchApi({ rows: Number(values.rows), data }, async (archive, api) => {
    const peers = await openPeers(archive);
    try {
      const queries = (await queriesOf(archive)).filter(({ encoding }) => encoding === undefined);
      const results = await comparePeers(archive, api, peers, queries, Number(values.rounds));
      return { about: await describeArchive(archive.engine), sections: peerSections(results) };
    } finally {
      await peers.close();
    }
  });
}
