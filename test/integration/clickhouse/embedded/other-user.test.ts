import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { openArchive } from '../../../../clickhouse/client.ts';
import type { JoinedEngine } from '../../../../clickhouse/embedded/join.ts';
import { storageFailure } from '../../../../clickhouse/errors.ts';
import { joinEngineWithLogins, recordOf, until } from '../../../support/engine/engine.ts';
import { newFolder } from '../../../support/test-run.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Prints the result of opening each file. */
const FILES = `
  const { readFileSync, readdirSync } = require('node:fs');
  const open = (work) => { try { work(); return 'open'; } catch ({ code }) { return code; } };
  console.log(JSON.stringify(process.argv.slice(1).flatMap((path) => [
    open(() => readFileSync(path)), open(() => readdirSync(path)),
  ])));`;

/**
 * Takes the port as soon as it is free, and answers as the engine would. At the end of its input it prints every request
 * that it got.
 */
const SQUATTER = `
  const http = require('node:http');
  const [port] = process.argv.slice(1);
  const requests = [];
  const server = http.createServer((request, response) => {
    requests.push([request.method + ' ' + request.url, JSON.stringify(request.headers)]);
    response.end(request.url === '/ping' ? 'Ok.\\n' : '1\\n');
  });
  server.once('error', () => console.log('waiting'));
  server.on('error', () => setTimeout(listen, 2)).on('listening', () => console.log('listening'));
  const listen = () => server.listen(Number(port), '127.0.0.1');
  listen();
  process.stdin.resume().on('end', () => { console.log(JSON.stringify(requests)); process.exit(); });`;

describe(`the embedded engine and ${isRoot ? 'another user' : 'the same user without the files'}`, () => {
  let dataDir: string;
  let engine: JoinedEngine;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'other-user-'));
    // As `mkdir` makes it: the files themselves keep others out.
    await chmod(dataDir, 0o755);
    engine = await joinEngineWithLogins(dataDir);
  });
  after(async () => {
    await engine.leave();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Runs a program as the other user, without anything of ours in its environment. */
  async function runAsOther(program: string, args: readonly string[]): Promise<unknown> {
    const options = { ...user, cwd: '/', env: {} };
    const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program, ...args], options);
    return JSON.parse(stdout);
  }

  it('every file of the directory is for its owner alone', async () => {
    const paths = (await readdir(dataDir)).map((name) => join(dataDir, name));
    assert.equal(paths.length, 5);
    for (const path of paths) assert.equal((await stat(path)).mode & 0o077, 0, path);
    if (isRoot)
      assert.deepEqual(new Set((await runAsOther(FILES, paths)) as string[]), new Set(['EACCES', 'ENOTDIR']));
  });

  it('it takes the port while the engine restarts, and gets no login; clients see `unavailable` meanwhile', async () => {
    const { pid, port } = await recordOf(dataDir);
    const { openAgent, users, url } = engine;
    const archive = openArchive({ url, database: 'default', openAgent, ...users.api });
    await archive.ping();
    const output = join(newFolder(), 'output');
    const file = await open(output, 'w');
    const squatter = spawn(process.execPath, ['--eval', SQUATTER, `${port}`], {
      ...user,
      cwd: '/',
      env: {},
      stdio: ['pipe', file.fd, 'inherit'],
    });
    const exited = once(squatter, 'exit');
    const hasPrinted = (word: string) => readFileSync(output, 'utf8').includes(word);
    await until(() => hasPrinted('waiting'));
    process.kill(pid, 'SIGKILL');
    // This process restarts the engine, so not before the other one has the port.
    for (const deadline = performance.now() + 60_000; !hasPrinted('listening'); )
      assert.ok(performance.now() < deadline, 'the other process has the port');
    for (const deadline = performance.now() + 2_000; performance.now() < deadline; await sleep(50))
      await assert.rejects(archive.ping(), (error) => storageFailure(error) === 'unavailable');
    squatter.stdin?.end();
    await exited;
    await file.close();
    assert.doesNotMatch(readFileSync(output, 'utf8'), /authorization|Basic/i);
    await until(() =>
      archive.ping().then(
        () => true,
        () => false,
      ),
    );
    await archive.close();
  });
});
