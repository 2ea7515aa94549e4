import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type JoinedEngine, joinEngine } from '../../clickhouse/embedded/join.ts';
import { type EngineRecord, readRecord, writeRecord } from '../../clickhouse/embedded/record.ts';
import { freePort } from '../support/engine.ts';

const source = fileURLToPath(new URL('../../clickhouse/embedded', import.meta.url));
const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;

describe('joining the embedded engine', () => {
  let dataDir: string;
  let joined: JoinedEngine[];
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'join-'));
    joined = [];
  });
  afterEach(async () => {
    await Promise.all(joined.map((engine) => engine.leave()));
    await rm(dataDir, { recursive: true, force: true });
  });

  async function joinIt(port = 0, directory = dataDir): Promise<JoinedEngine> {
    const engine = await joinEngine({ dataDir: directory, port });
    joined.push(engine);
    return engine;
  }
  const query = async (url: string, statement: string) => {
    const response = await fetch(url, { method: 'POST', body: statement });
    const answer = await response.text();
    assert.equal(response.status, 200, answer);
    return answer.trim();
  };
  async function record(): Promise<EngineRecord> {
    const found = await readRecord(dataDir);
    assert.ok(found);
    return found;
  }
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  const until = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await sleep(20);
  };

  it('starts it for the first, lets later ones in, and stops it after the last', async () => {
    const first = await joinIt();
    const second = await joinIt();
    const { pid } = await record();
    assert.equal(first.url, second.url);
    await first.leave();
    assert.equal(await query(second.url, 'SELECT 1'), '1');
    await second.leave();
    await until(() => !isAlive(pid));
    assert.equal(await readRecord(dataDir), undefined);
  });

  it('ends with one engine when several start at once', async () => {
    const port = await freePort();
    const engines = await Promise.all([joinIt(port), joinIt(port), joinIt(port)]);
    assert.deepEqual(new Set(engines.map(({ url }) => url)), new Set([`http://127.0.0.1:${port}`]));
    await query(engines[0].url, 'CREATE TABLE t (a Int8) ENGINE = Memory');
    for (const { url } of engines) assert.equal(await query(url, 'EXISTS t'), '1');
  });

  it('ends with one engine when one joins while the last leaves', async () => {
    const port = await freePort();
    let last = await joinIt(port);
    for (let i = 0; i < 2; i++) {
      const [next] = await Promise.all([joinIt(port), last.leave()]);
      assert.equal(await query(next.url, 'SELECT 1'), '1');
      last = next;
    }
  });

  it('stops after the last although a query without end still runs', async () => {
    const last = await joinIt();
    const { pid } = await record();
    const endless = assert.rejects(query(last.url, 'SELECT count() FROM system.numbers'));
    await until(async () => (await query(last.url, 'SELECT count() FROM system.processes')) === '2');
    await last.leave();
    await endless;
    await until(() => !isAlive(pid));
  });

  it('goes where the directory is served already, whatever port was asked for', async () => {
    const first = await joinIt();
    const second = await joinIt(await freePort());
    assert.equal(second.url, first.url);
  });

  it('names a port that something else has, and the setting that chooses another', async () => {
    const stranger = createServer((_, response) => response.end('{"hello": "world"}'));
    const port = await freePort();
    await new Promise<void>((resolve) => stranger.listen(port, '127.0.0.1', resolve));
    await assert.rejects(
      joinIt(port),
      new RegExp(`Port ${port} .* something else: set EMBEDDED_CLICKHOUSE_PORT`),
    );
    stranger.close();
  });

  it('names the other directory whose engine has the port', async () => {
    const other = await mkdtemp(join(tmpdir(), 'join-'));
    const { url } = await joinIt(0, other);
    await assert.rejects(
      joinIt(Number(new URL(url).port)),
      new RegExp(`${other}: set EMBEDDED_CLICKHOUSE_PORT`),
    );
    await joined[0]?.leave();
    await rm(other, { recursive: true });
  });

  it('sees through a record whose engine is gone, whose port has a new owner, or which is damaged', async () => {
    const other = await mkdtemp(join(tmpdir(), 'join-'));
    const stranger = await joinIt(0, other);
    const strangerPort = Number(new URL(stranger.url).port);
    const instance = '00000000-0000-0000-0000-000000000000';
    for (const stale of [
      { pid: 2 ** 22, port: await freePort(), instance },
      { pid: process.pid, port: strangerPort, instance },
    ]) {
      await writeRecord(dataDir, stale);
      const engine = await joinIt();
      assert.notEqual(engine.url, stranger.url);
      assert.notEqual((await record()).pid, stale.pid);
      await engine.leave();
    }
    await writeFile(join(dataDir, 'engine.json'), '{"pid": 1');
    assert.equal(await query((await joinIt()).url, 'SELECT 1'), '1');
    await stranger.leave();
    await rm(other, { recursive: true });
  });

  it('is given up when told so', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    await assert.rejects(joinEngine({ dataDir, port: 0, signal }), /enough/);
  });

  it('starts a killed engine again on the same port, with every acknowledged insert', async () => {
    const { url } = await joinIt();
    const member = await joinIt();
    await query(url, 'CREATE TABLE t (a UInt32) ENGINE = MergeTree ORDER BY a');
    let acknowledged = 0;
    for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
      const { pid, instance } = await record();
      const killed = acknowledged + 10;
      let alive = true;
      while (alive) {
        const insert = fetch(url, { method: 'POST', body: `INSERT INTO t VALUES (${acknowledged})` });
        if (acknowledged === killed) process.kill(pid, signal);
        try {
          const response = await insert;
          await response.text();
          if (response.ok) acknowledged++;
          else alive = false;
        } catch {
          alive = false;
        }
      }
      await until(async () => ![undefined, instance].includes((await readRecord(dataDir))?.instance));
      await until(() =>
        fetch(`${member.url}/ping`).then(
          ({ ok }) => ok,
          () => false,
        ),
      );
      const stored = Number(await query(url, `SELECT uniqExact(a) FROM t WHERE a < ${acknowledged}`));
      assert.equal(stored, acknowledged);
    }
    assert.ok(acknowledged >= 20);
  });

  describe('from other processes', () => {
    let member: ChildProcess;
    afterEach(() => member.kill('SIGKILL'));

    async function startMember(): Promise<string> {
      const program = `
        import { joinEngine } from ${JSON.stringify(join(source, 'join.ts'))};
        const { url } = await joinEngine({ dataDir: ${JSON.stringify(dataDir)}, port: 0 });
        console.log(url);
        setInterval(() => {}, 1000);`;
      member = spawn(process.execPath, ['--import', tsx, '--input-type=module', '--eval', program], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      assert.ok(member.stdout);
      const [line] = await once(member.stdout, 'data');
      return String(line).trim();
    }

    it('counts a member that was killed as gone, and stops', async () => {
      await startMember();
      const { pid } = await record();
      member.kill('SIGKILL');
      await until(() => !isAlive(pid));
      assert.equal(await readRecord(dataDir), undefined);
    });

    it('outlives the process that started it while another uses it', async () => {
      const url = await startMember();
      const { pid } = await record();
      const here = await joinIt();
      assert.equal(here.url, url);
      member.kill('SIGKILL');
      await once(member, 'exit');
      // Longer than the grace that a killed member is given.
      await sleep(2_500);
      assert.equal(await query(url, 'SELECT 1'), '1');
      assert.equal((await record()).pid, pid);
    });
  });

  it('says what to do where the package chdb is missing', async () => {
    // A copy of the source outside the repository finds tsx, by a link, but no chdb.
    const elsewhere = await mkdtemp(join(tmpdir(), 'no-chdb-'));
    await mkdir(join(elsewhere, 'node_modules'));
    await symlink(join(source, '../../node_modules/tsx'), join(elsewhere, 'node_modules/tsx'));
    await cp(source, join(elsewhere, 'embedded'), { recursive: true });
    await writeFile(join(elsewhere, 'package.json'), '{"type": "module"}');
    const copy = await import(pathToFileURL(join(elsewhere, 'embedded/join.ts')).href);
    await assert.rejects(copy.joinEngine({ dataDir, port: 0 }), /optional package chdb.*set CLICKHOUSE_URL/);
    await rm(elsewhere, { recursive: true });
  });

  it('leaves its output beside the data', async () => {
    await joinIt();
    assert.match(
      await readFile(join(dataDir, 'engine.log'), 'utf8'),
      /ClickHouse [\d.]+ \(embedded\) serves/,
    );
    assert.ok((await stat(join(dataDir, 'clickhouse'))).isDirectory());
  });
});
