import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openArchive } from '../../../../clickhouse/client.ts';
import { askEngine, lineOf } from '../../../../clickhouse/embedded/engine-socket.ts';
import {
  ask,
  freePort,
  isAlive,
  joinEngine,
  OPEN_ENGINE,
  recordOf,
  until,
} from '../../../support/engine/engine.ts';
import { listenOnFreePort } from '../../../support/listen.ts';
import { newFolder } from '../../../support/test-run.ts';
import { useEngines } from './engines.ts';

const SOURCE = fileURLToPath(new URL('../../../../clickhouse/', import.meta.url));

describe('joining the embedded engine', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = join(newFolder(), 'a'.repeat(120), 'b'.repeat(120));
    await mkdir(dataDir, { recursive: true });
  });
  const joinWith = useEngines();

  const joinIt = (port?: number, directory = dataDir) =>
    joinWith({ dataDir: directory, ...(port !== undefined && { port }) });

  it('the first member starts it, later ones join it on its own port, and it ends after the last, also while a query runs', async () => {
    const port = await freePort();
    const first = await joinIt(port);
    const second = await joinIt();
    const record = await recordOf(dataDir);
    assert.deepEqual([first.url, second.url], Array(2).fill(`http://127.0.0.1:${port}`));
    await first.leave();
    assert.equal(await ask(second.url, 'SELECT 1'), '1');
    const query = 'SELECT count() FROM system.numbers';
    const endless = assert.rejects(ask(second.url, query));
    const running = `SELECT count() FROM system.processes WHERE query = '${query}'`;
    await until(async () => (await ask(second.url, running)) === '1');
    await second.leave();
    await endless;
    await until(() => !isAlive(record.pid));
    assert.deepEqual((await readdir(dataDir)).sort(), ['clickhouse', 'engine.log', 'engine.users.json']);
  });

  it('no statement with a body waits 40 ms for TCP to acknowledge a part of it', async () => {
    const { url, openAgent } = await joinIt();
    const archive = openArchive({ url, openAgent, username: 'default', password: '', database: 'default' });
    const file = { name: 'a', format: 'CSV', structure: 'n UInt8', bytes: Buffer.from('1\n') };
    let least = Number.POSITIVE_INFINITY;
    // On a busy machine many answers are late.
    for (let n = 0; n < 100 && least >= 35; n += 1) {
      const begin = performance.now();
      await archive.select({ query: 'SELECT n FROM a FORMAT CSV', file });
      least = Math.min(least, performance.now() - begin);
    }
    await archive.close();
    assert.ok(least < 35, `${least} ms`);
  });

  it('a mutation does not wait for a random part of a second', async () => {
    const { url } = await joinIt();
    await ask(url, 'CREATE TABLE default.t (n UInt8) ENGINE = MergeTree ORDER BY n PARTITION BY n');
    await ask(url, 'INSERT INTO default.t SELECT number FROM numbers(9)');
    const waits: number[] = [];
    for (let n = 0; n < 9; n += 1) {
      const begin = performance.now();
      await ask(url, `ALTER TABLE default.t DELETE WHERE n = ${n} SETTINGS mutations_sync = 2`);
      waits.push(performance.now() - begin);
    }
    assert.ok(waits.filter((ms) => ms < 400).length >= 7, waits.join());
  });

  it('three starts at once, on two ports, give one engine', async () => {
    const port = await freePort();
    const engines = await Promise.all([joinIt(port), joinIt(port), joinIt()]);
    assert.equal(new Set(engines.map(({ url }) => url)).size, 1);
    await ask(engines[0].url, 'CREATE TABLE default.t (a Int8) ENGINE = Memory');
    for (const { url } of engines) assert.equal(await ask(url, 'EXISTS default.t'), '1');
  });

  it('a join while the last member leaves gives an engine that answers', async () => {
    const port = await freePort();
    let last = await joinIt(port);
    for (const milliseconds of [0, 10]) {
      const [next] = await Promise.all([sleep(milliseconds).then(() => joinIt(port)), last.leave()]);
      assert.equal(await ask(next.url, 'SELECT 1'), '1');
      last = next;
    }
  });

  it('a start waits for the port of an engine that ends and still answers', async () => {
    const { url } = await joinIt();
    const { pid } = await recordOf(dataDir);
    // What an engine does before it ends.
    await rm(join(dataDir, 'engine.sock'));
    const killed = sleep(500).then(() => process.kill(pid, 'SIGKILL'));
    const next = await joinIt(Number(new URL(url).port));
    await killed;
    assert.equal(await ask(next.url, 'SELECT 1'), '1');
  });

  it('a port that another program has is named, with the setting that chooses another; unset, it is any free port', async () => {
    const answers = ['HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nno', undefined];
    const refusals = answers.map(async (answer) => {
      const other = createServer((socket) => {
        if (answer !== undefined) socket.on('error', () => {}).end(answer);
      });
      const port = await listenOnFreePort(other);
      const refused = new RegExp(`Port ${port} .* another program: set EMBEDDED_CLICKHOUSE_PORT`);
      await assert.rejects(joinIt(port, newFolder()), refused);
      if (answer === undefined) {
        const options = { ...OPEN_ENGINE, dataDir: newFolder(), port, database: 'history' };
        const lines: string[] = [];
        const log = (line: string) => void lines.push(line);
        const engine = await joinEngine({ ...options, takesFreePort: true, log });
        const taken = `the embedded ClickHouse did not start (port ${port} is taken); trying again`;
        const takes = `the embedded ClickHouse takes port ${new URL(engine.url).port}`;
        assert.deepEqual(lines.slice(0, 2), [taken, takes]);
        await engine.leave();
        // Each of several programs that start at once tries the taken port at most once.
        lines.splice(0);
        const others = [1, 2, 3].map(() => joinWith({ ...options, takesFreePort: true, log }));
        await Promise.all(others);
        assert.ok(lines.filter((line) => line === taken).length <= others.length, lines.join('\n'));
      }
      other.close();
    });
    await Promise.all(refusals);
  });

  it('serves on a port that fetch refuses to connect to', async () => {
    const port = 10_080;
    await assert.rejects(fetch(`http://127.0.0.1:${port}`), ({ cause }) => /bad port/.test(String(cause)));
    const engine = await joinIt(port, newFolder());
    assert.equal(new URL(engine.url).port, `${port}`);
    await engine.leave();
  });

  it('a socket that nobody listens at is replaced, and the process whose pid it was is left alone', async () => {
    await (await joinIt()).leave();
    const other = spawn('sleep', ['100']);
    const taken = createServer();
    const record = { pid: other.pid, port: await listenOnFreePort(taken) };
    for (const text of [JSON.stringify(record), '{"pid": 12, "port"']) {
      await writeFile(join(dataDir, 'engine.sock'), '');
      await writeFile(join(dataDir, 'engine.json'), text);
      const engine = await joinIt();
      assert.equal(await ask(engine.url, 'SELECT 1'), '1');
      await engine.leave();
    }
    assert.equal(other.signalCode, null);
    other.kill();
    taken.close();
  });

  it('programs that recover the archive at once take turns, and a turn ends with its program', async () => {
    await joinIt();
    const [first, second] = [await askEngine(dataDir, 'recovery'), await askEngine(dataDir, 'recovery')];
    assert.ok(first && second);
    assert.ok(await lineOf(first, 60_000));
    assert.equal(await lineOf(second, 300), undefined);
    const turn = lineOf(second, 60_000);
    first.destroy();
    assert.ok(await turn);
    second.destroy();
  });

  it('a signal gives up joining', async () => {
    const signal = AbortSignal.abort(new Error('enough'));
    const options = { ...OPEN_ENGINE, dataDir, port: await freePort(), signal };
    await assert.rejects(joinEngine(options), /enough/);
  });

  it('a directory that another ClickHouse has locked is named while a start waits for it', async () => {
    await joinIt();
    // Without its socket the engine cannot be joined.
    await rm(join(dataDir, 'engine.sock'));
    const giveUp = new AbortController();
    const logged: string[] = [];
    const log = (line: string) => {
      logged.push(line);
      giveUp.abort(new Error('enough'));
    };
    const options = { ...OPEN_ENGINE, dataDir, port: await freePort(), signal: giveUp.signal, log };
    await assert.rejects(joinEngine(options), /enough/);
    assert.match(logged.join('\n'), /waiting .*Another server instance in same directory/);
  });

  it('a directory that cannot be opened is named, with the reason', async () => {
    await writeFile(join(dataDir, 'clickhouse'), '');
    await assert.rejects(joinIt(), /did not start, see .*engine\.log: .*EEXIST/);
    await rm(join(dataDir, 'clickhouse'));
    await mkdir(join(dataDir, 'clickhouse', 'metadata'), { recursive: true });
    await writeFile(join(dataDir, 'clickhouse', 'metadata', 'broken.sql'), 'nonsense');
    await assert.rejects(joinIt(), /did not start, see .*engine\.log: .*DB::Exception.*broken/);
  });

  it('a start that fails is tried again, with its reason in the log', async () => {
    const path = join(dataDir, 'clickhouse');
    await writeFile(path, '');
    const lines: string[] = [];
    const log = (line: string) => {
      lines.push(line);
      rmSync(path);
    };
    const engine = await joinWith({ dataDir, log });
    assert.equal(await ask(engine.url, 'SELECT 1'), '1');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /did not start \(.*EEXIST.*\); trying again/);
  });

  it('the packages to install are named where they are missing', async () => {
    // A copy of the source outside the repository has tsx, by a link, but not chdb.
    const elsewhere = newFolder();
    await mkdir(join(elsewhere, 'node_modules'));
    await symlink(join(SOURCE, '../node_modules/tsx'), join(elsewhere, 'node_modules/tsx'));
    for (const name of ['embedded', 'typescript-program.ts', 'durable-file.ts'])
      await cp(join(SOURCE, name), join(elsewhere, name), { recursive: true });
    await writeFile(join(elsewhere, 'package.json'), '{"type": "module"}');
    const copy = await import(pathToFileURL(join(elsewhere, 'embedded/join.ts')).href);
    const options = { ...OPEN_ENGINE, dataDir, port: await freePort() };
    await assert.rejects(copy.joinEngine(options), /optional packages chdb and ffi-rs.*set CLICKHOUSE_URL/);
  });

  it('an engine that serves refuses a join with another database or directory', async () => {
    const { url } = await joinIt();
    assert.match(await readFile(join(dataDir, 'engine.log'), 'utf8'), /ClickHouse \(embedded\) serves/);
    const options = { ...OPEN_ENGINE, dataDir, port: await freePort(), database: 'other' };
    await assert.rejects(joinEngine(options), /started for database history: set CLICKHOUSE_DATABASE/);

    const other = newFolder();
    await assert.rejects(
      joinIt(Number(new URL(url).port), other),
      /taken by a ClickHouse, perhaps that of another DATA_DIR: set EMBEDDED_CLICKHOUSE_PORT/,
    );
  });
});
