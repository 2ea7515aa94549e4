import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { type ArchiveSettings, openArchive } from '../../../../clickhouse/client.ts';
import { joinEngine } from '../../../../clickhouse/embedded/join.ts';
import { migrate } from '../../../../clickhouse/migrate.ts';
import { durabilityWarning } from '../../../../clickhouse/settings/durability.ts';
import { freePort } from '../../../support/engine/engine.ts';
import { runInProcess } from '../../../support/engine/in-process-clickhouse.ts';
import { PASSWORDS, startServerAsInCompose } from '../../../support/engine/server-as-in-compose.ts';

const NAMES = [
  'fsync_after_insert',
  'fsync_part_directory',
  'min_compressed_bytes_to_fsync_after_merge',
  'min_rows_to_fsync_after_merge',
  'old_parts_lifetime',
];

describe('whether acknowledged reports survive a power failure', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'durability-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function warningOf(settings: ArchiveSettings): Promise<string | undefined> {
    const client = openArchive(settings);
    try {
      return await durabilityWarning(client, false, AbortSignal.timeout(60_000));
    } finally {
      await client.close();
    }
  }

  for (const adminPassword of [undefined, ''])
    it(`the embedded engine lacks nothing${adminPassword === '' ? ', without a password either' : ''}`, async () => {
      const database = 'history';
      const dataDir = join(folder, `data${adminPassword}`);
      const engine = await joinEngine({ dataDir, port: await freePort(), database, adminPassword });
      try {
        await migrate({ url: engine.url, database, ...engine.users.admin });
        for (const user of Object.values(engine.users))
          assert.equal(await warningOf({ url: engine.url, database, ...user }), undefined);
        const archive = openArchive({ url: engine.url, database, ...engine.users.loader });
        const stop = new AbortController();
        const stopped = assert.rejects(durabilityWarning(archive, false, stop.signal), /stopped/);
        stop.abort(new Error('stopped'));
        await stopped;
        await archive.close();
      } finally {
        await engine.leave();
      }
    });

  it('a server without config.d/history.xml is told every setting by name', async () => {
    const server = await startServerAsInCompose(join(folder, 'server'), folder);
    try {
      const login = (user: 'api' | 'admin') => ({
        username: `history_${user}`,
        password: `${user}-password`,
      });
      assert.equal(login('api').password, PASSWORDS.HISTORY_API_PASSWORD);
      const settings = { url: server.url, database: 'history' };
      await migrate({ ...settings, ...login('admin') });
      const warning = await warningOf({ ...settings, ...login('api') });
      for (const name of NAMES) assert.match(warning ?? '', new RegExp(`${name} is 0 and should be`));
      assert.match(warning ?? '', /clickhouse\/server\/config\.d\/history\.xml/);
      // As with a file of users that is older than this program.
      const archive = openArchive({ ...settings, ...login('api') });
      const forbidden = { ...archive, select: () => archive.select({ query: 'SELECT * FROM system.parts' }) };
      const unknown = await durabilityWarning(forbidden, false, AbortSignal.timeout(60_000));
      await archive.close();
      assert.match(unknown ?? '', /is not known.*install clickhouse\/server\/users\.d\/history\.xml/);
    } finally {
      await server.kill();
    }
  });

  it('config.d/history.xml has every setting, and that of replicas', async () => {
    const names = [...NAMES, 'min_compressed_bytes_to_fsync_after_fetch'].toSorted();
    const list = names.map((name) => `'${name}'`).join();
    const printed = await runInProcess(join(folder, 'in-process'), [
      `SELECT name, value FROM system.replicated_merge_tree_settings WHERE name IN (${list}) ORDER BY name`,
    ]);
    const value = (name: string) => (name === 'old_parts_lifetime' ? 480 : 1);
    assert.equal(printed, names.map((name) => `${name}\t${value(name)}`).join('\n'));
  });
});
