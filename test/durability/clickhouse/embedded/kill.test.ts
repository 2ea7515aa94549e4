import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { openArchive } from '../../../../clickhouse/client.ts';
import { storageFailure } from '../../../../clickhouse/errors.ts';
import {
  ask,
  engineOf,
  freePort,
  isAlive,
  OPEN_ENGINE,
  recordOf,
  until,
} from '../../../support/engine/engine.ts';
import { compiledProgram, newFolder } from '../../../support/test-run.ts';
import { useEngines } from './engines.ts';

/** Takes a minute. */
const SLOW = 'SELECT sleepEachRow(1) FROM numbers(60) SETTINGS max_block_size = 1 FORMAT Null';

describe('the embedded engine when processes are killed', () => {
  let dataDir: string;
  let members: ChildProcess[];
  beforeEach(async () => {
    dataDir = newFolder();
    members = [];
  });
  const joinWith = useEngines();
  afterEach(async () => {
    for (const member of members) member.kill('SIGKILL');
    await until(async () => (await enginesOf(dataDir)).length === 0);
  });

  const joinIt = () => joinWith({ dataDir });

  /** A process that joins and prints the URL, and the port once a statement was answered on another one. */
  async function spawnMember(): Promise<ChildProcess> {
    const options = { ...OPEN_ENGINE, dataDir, port: await freePort() };
    const program = `
      import { openArchive } from ${JSON.stringify(compiledProgram('clickhouse/client.ts'))};
      import { joinEngine } from ${JSON.stringify(compiledProgram('clickhouse/embedded/join.ts'))};
      let port = '';
      const log = (line) => { port = /serves again on port (\\d+)/.exec(line)?.[1] ?? port; };
      const { url, openAgent } = await joinEngine({ ...${JSON.stringify(options)}, log });
      console.log(url);
      const archive = openArchive({ url, openAgent, username: 'default', password: '', database: 'default' });
      setInterval(() => port && archive.ping().then(() => console.log('answered http://127.0.0.1:' + port)), 500);`;
    const member = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    members.push(member);
    return member;
  }
  async function killEngine(): Promise<void> {
    const { pid } = await recordOf(dataDir);
    process.kill(pid, 'SIGKILL');
    await until(() => !isAlive(pid));
  }
  async function lineFrom({ stdout }: ChildProcess): Promise<string> {
    assert.ok(stdout);
    const [text] = await once(stdout, 'data');
    // A process that has waited may find several.
    return String(text).split('\n')[0] ?? '';
  }

  for (const signal of ['SIGKILL', 'SIGTERM'] as const)
    it(`it serves again on the same port after ${signal}, with the same users and every acknowledged insert`, async () => {
      const { url, users } = await joinIt();
      const member = await joinIt();
      await ask(url, 'CREATE TABLE default.t (a UInt32) ENGINE = MergeTree ORDER BY a');
      const { pid, instance } = await recordOf(dataDir);
      let acknowledged = 0;
      for (let alive = true; alive; ) {
        const insert = fetch(url, { method: 'POST', body: `INSERT INTO default.t VALUES (${acknowledged})` });
        if (acknowledged === 20) process.kill(pid, signal);
        alive = await insert.then(
          async (response) => (await response.text()) === '' && response.ok,
          () => false,
        );
        if (alive) acknowledged++;
      }
      await until(async () => ![undefined, instance].includes((await engineOf(dataDir))?.instance));
      const stored = await ask(member.url, `SELECT uniqExact(a) FROM default.t WHERE a < ${acknowledged}`);
      assert.equal(Number(stored), acknowledged);
      assert.ok(acknowledged >= 20);
      assert.deepEqual((await joinIt()).users, users);
    });

  it('a program that starts after it was killed serves on the port of its members, where that is free', async () => {
    const member = await spawnMember();
    const url = await lineFrom(member);
    // It cannot start the next engine itself.
    member.kill('SIGSTOP');
    await killEngine();
    const next = await spawnMember();
    assert.equal(await lineFrom(next), url);
    next.kill('SIGSTOP');
    await killEngine();
    const squatter = createServer().listen(Number(new URL(url).port), '127.0.0.1');
    await once(squatter, 'listening');
    const elsewhere = await joinIt();
    assert.notEqual(elsewhere.url, url);
    member.kill('SIGCONT');
    assert.equal(await lineFrom(member), `answered ${elsewhere.url}`);
    squatter.close();
  });

  it('statements that run or wait for a connection fail at once, as those of a storage that is not available', async () => {
    const { url, openAgent } = await joinIt();
    const login = { username: 'default', password: '' };
    const archive = openArchive({ url, database: 'default', openAgent, ...login }, 1);
    const select = () => archive.select({ query: SLOW });
    const failed = [1, 2, 3].map(() =>
      assert.rejects(select, (error) => storageFailure(error) === 'unavailable'),
    );
    await until(async () => Number(await ask(url, 'SELECT count() FROM system.processes')) > 2);
    const { pid } = await recordOf(dataDir);
    const start = performance.now();
    process.kill(pid, 'SIGKILL');
    await Promise.all(failed);
    assert.ok(performance.now() - start < 20_000);
    await archive.close();
  });

  it('it ends when all its members are killed at once', async () => {
    const both = [await spawnMember(), await spawnMember()];
    await Promise.all(both.map(lineFrom));
    const { pid } = await recordOf(dataDir);
    for (const member of both) member.kill('SIGKILL');
    await until(() => !isAlive(pid));
    assert.ok(!(await readdir(dataDir)).includes('engine.sock'));
  });

  it('it outlives the process that started it while another uses it', async () => {
    const starter = await spawnMember();
    const url = await lineFrom(starter);
    const { pid } = await recordOf(dataDir);
    const here = await joinIt();
    assert.equal(here.url, url);
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    await sleep(1_000);
    assert.equal(await ask(url, 'SELECT 1'), '1');
    assert.equal((await recordOf(dataDir)).pid, pid);
  });

  it('it does not outlive a starter that was killed before it was ready', async () => {
    const starter = await spawnMember();
    await until(async () => (await enginesOf(dataDir)).length > 0);
    await sleep(50);
    starter.kill('SIGKILL');
    await until(async () => (await enginesOf(dataDir)).length === 0);
    assert.equal(await ask((await joinIt()).url, 'SELECT 1'), '1');
  });

  it('engine and starter killed at once leave a directory that the next one starts in', async () => {
    const starter = await spawnMember();
    await lineFrom(starter);
    const { pid, instance } = await recordOf(dataDir);
    starter.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
    assert.equal(await ask((await joinIt()).url, 'SELECT 1'), '1');
    assert.notEqual((await recordOf(dataDir)).instance, instance);
  });
});

/** The pids of all engines of a directory, ready or not. */
async function enginesOf(dataDir: string): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const commands = await Promise.all(
    pids.map(async (pid) => ({
      pid,
      command: await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    })),
  );
  return commands
    .filter(({ command }) => command.includes('embedded/main.ts') && command.includes(`\0${dataDir}\0`))
    .map(({ pid }) => pid);
}
