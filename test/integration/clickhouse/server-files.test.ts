import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { migrate } from '../../../clickhouse/schema.ts';
import { scriptOf, serviceOf } from '../../support/documents/compose.ts';
import {
  PASSWORDS,
  type ServerAsInCompose,
  startServerAsInCompose,
} from '../../support/engine/server-as-in-compose.ts';
import { newFolder } from '../../support/test-run.ts';

const LOGS = new URL('../../../clickhouse/server/config.d/logs.xml', import.meta.url);
const SETTINGS = new URL('../../../clickhouse/server/config.d/history.xml', import.meta.url);
const { test: healthcheck } = serviceOf('clickhouse').healthcheck ?? assert.fail('no health check');
const HEALTHCHECK = new URL(healthcheck.at(-1) ?? '');

describe('the ClickHouse server of docker-compose.yml', () => {
  const folder = newFolder();
  let server: ServerAsInCompose;
  before(async () => {
    await mkdir(join(folder, 'config.d'));
    // This program cannot read the first section.
    const settings = (await readFile(SETTINGS, 'utf8')).replace(/<compression>[\s\S]*<\/compression>/, '');
    await writeFile(join(folder, 'config.d', 'history.xml'), settings);
    server = await startServerAsInCompose(folder, join(folder, 'backups'));
    const admin = { username: 'history_admin', password: PASSWORDS.HISTORY_ADMIN_PASSWORD };
    await migrate({ url: server.url, database: 'history', ...admin });
  });
  after(() => server.kill());

  it('keeps its logs for 30 days, and only those that are named', async () => {
    await server.run('SYSTEM FLUSH LOGS');
    const logs = await server.run(
      "SELECT name, engine_full FROM system.tables WHERE database = 'system' AND engine = 'MergeTree' ORDER BY name",
    );
    const names = logs.split('\n').map((line) => line.split('\t')[0]);
    assert.deepEqual(names, ['backup_log', 'crash_log', 'error_log', 'part_log', 'query_log']);
    for (const line of logs.split('\n')) assert.match(line, /TTL event_date \+ toIntervalDay\(30\)/);
  });

  it('takes four fifths of the memory, and no cache takes more than a tenth', async () => {
    const names = "('max_server_memory_usage_to_ram_ratio', 'cache_size_to_ram_max_ratio')";
    const query = `SELECT value FROM system.server_settings WHERE name IN ${names} ORDER BY name`;
    assert.equal(await server.run(query), '0.1\n0.8');
  });

  it('decides about every log that this version of ClickHouse has', async () => {
    const decided = new Set(
      [...(await readFile(LOGS, 'utf8')).matchAll(/<(\w+)[ >]/g)].map(([, name]) => name),
    );
    const all = [...(await server.output()).matchAll(/SystemLog: (?:Not c|C)reating system\.(\w+)/g)];
    assert.ok(all.length > 20);
    for (const [, name] of all) assert.ok(decided.has(name), name);
  });

  it('is healthy when its tables are loaded', async () => {
    assert.equal(await ask(HEALTHCHECK.search), 200);
    assert.equal(await ask(HEALTHCHECK.search.replace('PENDING', 'OK')), 500);
  });

  it('admits its users by their passwords', async () => {
    const login = (password: string) =>
      ask(`?user=history_api&password=${password}&query=SELECT%20count()%20FROM%20history.observations`);
    assert.equal(await login(PASSWORDS.HISTORY_API_PASSWORD), 200);
    assert.equal(await login('another'), 403);
  });

  it('lets nobody write backups but the user inside the container', async () => {
    const target = `File('${join(folder, 'backups', 'refused')}')`;
    for (const user of ['api', 'loader', 'admin'])
      assert.notEqual(
        await ask(
          `?user=history_${user}&password=${user}-password&query=BACKUP%20DATABASE%20history%20TO%20${encodeURIComponent(target)}`,
        ),
        200,
      );
    await assert.rejects(server.run("BACKUP DATABASE history TO File('/tmp/elsewhere')"), /allowed/);
  });

  it('answers every query of the runbook', async () => {
    const runbook = await readFile(new URL('../../../docs/operations/runbook.md', import.meta.url), 'utf8');
    const queries = [...runbook.matchAll(/^sql "([^"]*)"/gm)];
    assert.ok(queries.length > 5);
    for (const [, query = ''] of queries) await server.run(query);
  });

  it('gets its passwords from the files of the secrets', async () => {
    const secrets = join(folder, 'secrets');
    await mkdir(secrets);
    for (const name of ['api', 'loader', 'admin'])
      await writeFile(join(secrets, `${name}_password`), `${name}-password\n`);
    const script = scriptOf(serviceOf('clickhouse').command)
      .replaceAll('/run/secrets', secrets)
      .replace(/exec clickhouse-server.*/, 'exec env');
    const { stdout } = await promisify(execFile)('sh', ['-c', script]);
    for (const [name, value] of Object.entries(PASSWORDS)) assert.ok(stdout.includes(`${name}=${value}\n`));
  });

  async function ask(search: string): Promise<number> {
    const response = await fetch(new URL(search, server.url));
    await response.text();
    return response.status;
  }
});
