import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SETTINGS } from '../../../api/config.ts';
import { OBSERVATIONS } from '../../support/api/api.ts';
import { emptyArchive } from '../../support/archive/archive.ts';
import { freePort } from '../../support/engine/engine.ts';
import { listenOnFreePort } from '../../support/listen.ts';
import { isLong } from '../../support/long.ts';
import { listeningUrl, ROOT, type Running, run } from '../../support/process.ts';
import { newFolder } from '../../support/test-run.ts';

describe('npm start', () => {
  let dir: string;
  let enginePort: string;
  let started: Running[];
  beforeEach(async () => {
    enginePort = String(await freePort());
    dir = newFolder();
    started = [];
  });
  afterEach(async () => {
    for (const process of started) process.kill('SIGKILL');
    await Promise.all(started.map(({ finished }) => finished));
  });

  const dataDir = () => join(dir, 'data');
  function start(settings: Readonly<Record<string, string>> = {}, root?: string): Running {
    const own = { PORT: '0', EMBEDDED_CLICKHOUSE_PORT: enginePort, DATA_DIR: dataDir() };
    const process = run('start', [], { ...own, ...settings }, root);
    started.push(process);
    return process;
  }
  async function stop(process: Running): Promise<void> {
    process.kill('SIGTERM');
    const { code, stderr } = await process.finished;
    assert.deepEqual([code, stderr], [0, '']);
  }

  it('prints its settings with --help and exits with 0, whatever the settings', async () => {
    for (const [args, code] of [
      [['--help'], 0],
      [['-h'], 0],
      [['8080'], 2],
    ] as const) {
      const finished = await run('start', args, { PORT: 'x', DATA_DIR: dataDir() }).finished;
      assert.equal(finished.code, code);
      const [usage, other] = [finished.stdout, finished.stderr].toSorted((a, b) => b.length - a.length);
      for (const name of Object.keys(SETTINGS)) assert.match(usage ?? '', new RegExp(`^  ${name} `, 'm'));
      assert.equal(other, '');
      assert.equal(finished.stdout === '', code !== 0);
    }
    assert.deepEqual(await readdir(dir), []);
  });

  it('says what to change where its files cannot be used, and makes damaged files of the engine again', async () => {
    await mkdir(join(dataDir(), 'keys.jsonl'), { recursive: true });
    await writeFile(join(dataDir(), 'engine.users.json'), '{}');
    await writeFile(join(dataDir(), 'engine.json'), '{"pid":"x","port":99999999}');
    const keys = await start({ DEMO: 'off' }).finished;
    assert.equal(keys.code, 1);
    assert.match(keys.stderr, /^API keys cannot be read: .*keys\.jsonl: EISDIR: .* restore/m);
    assert.match(await readFile(join(dataDir(), 'engine.log'), 'utf8'), /engine\.users\.json is damaged: /);
    const file = join(dir, 'file');
    await writeFile(file, '');
    for (const DEMO of ['on', 'off']) {
      const { code, stderr } = await start({ DEMO, DATA_DIR: file }).finished;
      assert.deepEqual([code, stderr.startsWith(`DATA_DIR ${file} cannot be used: `)], [1, true], stderr);
    }
  });

  it('reports all mistakes in the settings together, also as lines of the log, and exits before it listens or writes', async () => {
    const wrong = { PORT: 'x', DEMO: 'maybe', REDIS_URL: 'redis' };
    const text = await start(wrong).finished;
    const log = await start({ ...wrong, LOG_FORMAT: 'json' }).finished;
    assert.deepEqual([text.code, text.stdout, log.code, log.stderr], [2, '', 2, '']);
    const lines = log.stdout.trimEnd().split('\n');
    for (const mistakes of [text.stderr.trimEnd().split('\n'), lines.map((line) => JSON.parse(line).error)])
      assert.deepEqual(mistakes.map((line) => line.split(' ')[0]).sort(), ['DEMO', 'PORT', 'REDIS_URL']);
    assert.deepEqual(await readdir(dir), []);
  });

  it('reports in one line that its port is in use', async () => {
    const other = createServer();
    const port = `${await listenOnFreePort(other)}`;
    // The archive of other tests is ready at once, and has no records of the demo.
    const { url, database, close } = await emptyArchive();
    const archive = { CLICKHOUSE_URL: url, CLICKHOUSE_DATABASE: database, DEMO: 'off' };
    const started = [start({ ...archive, PORT: port }), start({ ...archive, METRICS_PORT: port })];
    for (const [n, setting] of ['PORT', 'METRICS_PORT'].entries()) {
      const { code, stderr } = (await started[n]?.finished) ?? {};
      assert.equal(code, 1);
      assert.match(
        stderr ?? '',
        new RegExp(
          `^${setting} ${port} cannot be used: .*EADDRINUSE.*:${port}. Set ${setting} to another port, or HOST to another address\\n$`,
        ),
      );
    }
    other.close();
    await close();
  });

  it('loads demo records into an empty folder, and prints a line for the shell that requests some', async () => {
    const first = start();
    const firstUrl = await listeningUrl(first);
    const key = await runPrintedCurl(first.output());
    const headers = { authorization: `Bearer ${key}` };
    const { data } = (await (await fetch(`${firstUrl}/v1/history/stations`, { headers })).json()) as {
      data: { station: string; name?: string }[];
    };
    assert.deepEqual(data[0]?.name, 'Westwind Island');
    assert.equal(data.length, 7);
    await stop(first);

    // The next start has the same key. A long run starts the source, as users do, which is slow. No line of the log has the key.
    const second = start({ LOG_FORMAT: 'json' }, isLong ? ROOT : undefined);
    await listeningUrl(second, /listening on (http:\S+) for requests"}\n/);
    const lines = second.output().trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as { event: string; file?: string });
    assert.equal(events.at(-1)?.event, 'ready');
    assert.doesNotMatch(second.output(), new RegExp(key));
    const file = events.find(({ event }) => event === 'demo key')?.file ?? assert.fail(second.output());
    assert.equal((await readFile(file, 'utf8')).trim(), key);
    await stop(second);
  });

  /** Runs the curl line of the start message in a shell, and returns the key in it. */
  async function runPrintedCurl(output: string): Promise<string> {
    const line = output.split('\n').find((text) => text.startsWith('curl ')) ?? assert.fail(output);
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    const { data, meta } = JSON.parse(stdout) as {
      data: { raw: string }[];
      meta: { coverage: { status: string } };
    };
    assert.equal(data.length, 3);
    assert.ok(data.every(({ raw }) => raw.includes('XAA')));
    assert.equal(meta.coverage.status, 'complete');
    const key = /Bearer (\S+)'/.exec(line)?.[1] ?? assert.fail(line);
    assert.match(output, new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#key=${key}$`, 'm'));
    return key;
  }

  it('completes every response when it stops under load, and stops the engine', async () => {
    const server = start({ DEMO: 'off' });
    const url = await listeningUrl(server);
    assert.doesNotMatch(server.output(), /curl|hist_/);
    assert.match(server.output(), /^Create a key with: npm run keys/m);
    const { stdout } = await run('keys', ['create', '--plan', 'professional'], {
      DATA_DIR: dataDir(),
    }).finished;
    const authorization = `Bearer ${stdout.trimEnd().split('\n').at(-1)}`;
    const page = `${url}${OBSERVATIONS}?stations=XAAA&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z`;

    let responses = 0;
    const load = Array.from({ length: 4 }, async () => {
      for (;;) {
        const response = await fetch(page, { headers: { authorization } }).catch(() => undefined);
        // The port is closed.
        if (response === undefined) return;
        await response.arrayBuffer();
        assert.ok(response.status === 200 || response.status === 429, String(response.status));
        responses += 1;
      }
    });
    while (responses < 20) await new Promise((resolve) => setTimeout(resolve, 10));
    server.kill('SIGTERM');
    // npm sends its own copy of a signal that the terminal sends to all processes.
    server.kill('SIGINT');
    await Promise.all(load);
    const { code, stderr } = await server.finished;
    assert.deepEqual([code, stderr], [0, '']);
    assert.ok(!(await readdir(dataDir())).includes('engine.sock'));
  });
});
