import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { issueKey } from '../../api/auth/key-store.ts';
import { fileKeyStore } from '../../api/auth/key-store-file.ts';
import { type ArchiveSettings, openArchive } from '../../clickhouse/client.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { demo } from '../../loader/sources/demo/demo.ts';
import { type WalkedPage, walk } from '../cluster/walk.ts';
import { OBSERVATIONS, startApi } from '../support/api/api.ts';
import { documentedCommands } from '../support/documents/commands.ts';
import { joinEngineWithLogins, OPEN_ENGINE } from '../support/engine/engine.ts';
import { type ServerAsInCompose, startServerAsInCompose } from '../support/engine/server-as-in-compose.ts';
import { loadDemo, loadWith } from '../support/loader/run-load.ts';
import { newFolder } from '../support/test-run.ts';

/** The statement that a documented command gives to the function `sql` of the runbook. */
function documentedStatement(document: string, title: string): string {
  const command = documentedCommands(document, title);
  return /^sql "([^"]*)"/m.exec(command)?.[1] ?? assert.fail(command);
}

const DOCUMENT = 'docs/operations/backup.md';
const QUERY =
  'stations=XAAA,XAAB,XAAC&from=2023-12-01T00:00:00Z&to=2024-02-01T00:00:00Z&include=raw,decoded&limit=100';

describe('backup and restore', () => {
  const folder = newFolder();
  const servers: ServerAsInCompose[] = [];
  after(async () => {
    for (const server of servers) await server.kill();
  });

  it('one machine: a copy of DATA_DIR has the same pages and the same keys in an empty place', async () => {
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    const sh = (title: string) =>
      promisify(execFile)('sh', ['-ec', documentedCommands(DOCUMENT, title)], { cwd: folder });
    let key = '';
    const before = await withEngine(dataDir, async (settings) => {
      await load(settings.loader);
      key = await issueKey(fileKeyStore(join(dataDir, 'keys.jsonl')), { plan: 'starter', account: 'a' });
      return walkAs(settings.api, dataDir);
    });
    assert.ok(before.length > 3);

    await sh('one machine, backup');
    await rename(dataDir, join(folder, 'lost'));
    await sh('one machine, restore');
    const after = await withEngine(dataDir, (settings) => walkAs(settings.api, dataDir, key));
    assert.deepEqual(after, before);
  });

  it('a server: BACKUP and RESTORE of the database give the same pages on an empty server', async () => {
    const backups = join(folder, 'backups');
    await mkdir(backups);
    const start = async (name: string) => {
      const server = await startServerAsInCompose(join(folder, name), backups);
      servers.push(server);
      return server;
    };
    const first = await start('first');
    const run = (server: ServerAsInCompose, title: string) =>
      server.run(documentedStatement(DOCUMENT, title).replaceAll('/backups', backups));
    const login = (server: ServerAsInCompose, user: string) => ({
      url: server.url,
      database: 'history',
      username: `history_${user}`,
      password: `${user}-password`,
    });
    await migrate(login(first, 'admin'));
    await load(login(first, 'loader'));
    assert.match(await run(first, 'server, backup'), /BACKUP_CREATED/);
    await load(login(first, 'loader'), 'XAAC');
    assert.match(await run(first, 'server, next backup'), /BACKUP_CREATED/);
    const before = await walkAs(login(first, 'api'));
    assert.ok(before.length > 3);
    await first.kill();

    const second = await start('second');
    await migrate(login(second, 'admin'));
    assert.match(await run(second, 'server, restore'), /RESTORED/);
    await assert.rejects(run(second, 'server, restore'), /because it already contains/);
    await run(second, 'server, remove');
    assert.match(await run(second, 'server, restore'), /RESTORED/);
    // As the start does: the restored schema is complete.
    assert.deepEqual(await migrate(login(second, 'admin')), []);
    assert.deepEqual(await walkAs(login(second, 'api')), before);
  });
});

type Logins = { readonly api: ArchiveSettings; readonly loader: ArchiveSettings };

async function withEngine<T>(dataDir: string, work: (settings: Logins) => Promise<T>): Promise<T> {
  const { database } = OPEN_ENGINE;
  const engine = await joinEngineWithLogins(dataDir);
  const { url, users } = engine;
  try {
    await migrate({ url, database, ...users.admin });
    return await work({
      api: { url, database, ...users.api },
      loader: { url, database, ...users.loader },
    });
  } finally {
    await engine.leave();
  }
}

async function load(settings: ArchiveSettings, station?: string): Promise<void> {
  const client = openArchive(settings);
  if (station === undefined) await loadDemo(client);
  else
    await loadWith(client, demo(), `--source demo --stations ${station} --from 2024-01-01 --to 2024-01-08`);
  await client.close();
}

/** All pages of a walk; with `key` also whether the service knows this key. */
async function walkAs(
  settings: ArchiveSettings,
  dataDir?: string,
  key?: string,
): Promise<readonly WalkedPage[]> {
  const client = openArchive(settings);
  const api = await startApi(client, dataDir === undefined ? {} : { dataDir });
  try {
    if (key !== undefined) assert.equal((await api.get(`${OBSERVATIONS}?${QUERY}`, { key })).status, 200);
    return await walk(api, QUERY);
  } finally {
    await api.stop();
    await client.close();
  }
}
