import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { type ArchiveSettings, openArchive } from '../../../../clickhouse/client.ts';
import { writeFor } from '../../../../clickhouse/cluster.ts';
import { migrate, SCHEMA } from '../../../../clickhouse/schema.ts';
import { durabilityWarning } from '../../../../clickhouse/settings/server-warnings.ts';
import { selectRows } from '../../../../clickhouse/statements/select.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { joinEngineWithLogins } from '../../../support/engine/engine.ts';
import { PASSWORDS, startServerAsInCompose } from '../../../support/engine/server-as-in-compose.ts';
import { describeLong } from '../../../support/long.ts';
import { newFolder } from '../../../support/test-run.ts';

const CONFIG = fileURLToPath(new URL('../../../../clickhouse/server/config.d/history.xml', import.meta.url));
const LOADER = createRequire(createRequire(import.meta.url).resolve('chdb')).resolve('./dist/loader.js');

const PROGRAM = `
  const [loader, path, config] = process.argv.slice(1);
  const chdb = require(loader).loadNative();
  const connection = chdb.CreateConnection(path, ['--implicit_select=0', '--config-file=' + config]);
  (async () => {
    const statements = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));
    let answer;
    for (const statement of statements) answer = await chdb.QueryAsyncConnection(connection, statement, 'TSV');
    process.stdout.write(answer.bytes);
    chdb.CloseConnection(connection);
  })();`;

/**
 * Runs statements in a process of their own, by chDB's own binding, with the configuration of a server that the
 * listener of the embedded engine cannot read. The embedded engine of versions before 0.2 left its files this way.
 *
 * @returns what the last statement printed
 */
async function runInProcess(path: string, statements: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['--eval', PROGRAM, LOADER, path, CONFIG]);
  child.stdin.end(JSON.stringify(statements));
  const [printed, failure] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (failure !== '') throw new Error(failure);
  return printed.trim();
}

const NAMES = [
  'fsync_after_insert',
  'fsync_part_directory',
  'min_compressed_bytes_to_fsync_after_merge',
  'min_rows_to_fsync_after_merge',
  'old_parts_lifetime',
];

describe('whether acknowledged reports survive a power failure', () => {
  const folder = newFolder();

  async function warningOf(settings: ArchiveSettings): Promise<string | undefined> {
    const client = openArchive(settings);
    try {
      return await durabilityWarning(client, AbortSignal.timeout(60_000));
    } finally {
      await client.close();
    }
  }

  for (const adminPassword of [undefined, ''])
    it(`the embedded engine lacks nothing${adminPassword === '' ? ', without a password either' : ''}`, async () => {
      const database = 'history';
      const dataDir = join(folder, `data${adminPassword}`);
      const engine = await joinEngineWithLogins(dataDir, adminPassword);
      try {
        await migrate({ url: engine.url, database, ...engine.users.admin });
        for (const user of Object.values(engine.users))
          assert.equal(await warningOf({ url: engine.url, database, ...user }), undefined);
        const archive = openArchive({ url: engine.url, database, ...engine.users.loader });
        const stop = new AbortController();
        const stopped = assert.rejects(durabilityWarning(archive, stop.signal), /stopped/);
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
      const forbidden = { ...archive, select: () => archive.select({ query: 'SELECT * FROM system.users' }) };
      const unknown = await durabilityWarning(forbidden, AbortSignal.timeout(60_000));
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

const FILL = (reports: number, length: number) => `
  INSERT INTO observations (observedAt, station, type, fingerprint, version, source, text, clean, decoder)
  SELECT toDateTime('2024-01-01 00:00:00', 'UTC') + number * 60, 'XAAA', 'METAR', cityHash64(number), 1, 'demo',
    concat(hex(sipHash128(number)), repeat('x', ${length})), 1, 1
  FROM numbers(${reports})`;
const MERGE = 'OPTIMIZE TABLE observations FINAL';
/** Of the only part of the table. */
const CODEC = `
  SELECT default_compression_codec AS codec
  FROM system.parts
  WHERE active AND database = currentDatabase() AND table = 'observations'`;

const tableOfReports = writeFor(
  undefined,
  SCHEMA.find(({ name }) => name === 'observations')?.statement ?? '',
);

describeLong('compression on a server with config.d/history.xml', () => {
  const path = newFolder();

  it('an insert has ZSTD(3), and a merge ZSTD(6)', async () => {
    const statements = ['CREATE DATABASE a', 'USE a', tableOfReports, FILL(50_000, 0)];
    assert.equal(await runInProcess(path, [...statements, CODEC]), 'ZSTD(3)');
    assert.match(await runInProcess(path, ['USE a', MERGE, CODEC]), /^ZSTD\(6\)$/);
  });
});

describe('compression in the embedded engine', () => {
  const archive = useArchive();

  it('inserts and merges have ZSTD(5)', async () => {
    const codecs = () => selectRows(archive.client, { query: CODEC });
    await archive.client.command({ query: FILL(50_000, 0) });
    assert.deepEqual(await codecs(), [{ codec: 'ZSTD(5)' }]);
    await archive.client.command({ query: FILL(50_000, 10) });
    await archive.client.command({ query: MERGE });
    assert.deepEqual(await codecs(), [{ codec: 'ZSTD(5)' }]);
  });
});
