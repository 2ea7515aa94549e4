import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { get, type IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, describe, it } from 'mocha';
import { OBSERVATIONS } from '../../../support/api.ts';
import { freePort } from '../../../support/engine.ts';
import { type Running, run } from '../../../support/process.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';

/** Listens on the port as soon as it is free. */
async function takePort(port: number): Promise<Server> {
  for (;;) {
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
      return server;
    } catch {
      await sleep(5);
    }
  }
}

type WorkerResponse = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The pid of the worker, from its log line. */
  readonly worker: number;
};

/** The log line of the primary when a worker has exited. */
const workerExited = (pid: number) => new RegExp(`"worker exited","worker":${pid},`);

const DEFAULT_ADDRESS = { 'x-forwarded-for': '192.0.2.1' };

for (const store of ['the primary', 'Redis'] as const)
  describe(`two workers with requests counted in ${store}`, () => {
    let redis: TestRedis | undefined;
    let dir: string;
    let settings: Readonly<Record<string, string>>;
    let server: Running;
    let url: string;
    before(async () => {
      redis = store === 'Redis' ? await startTestRedis() : undefined;
      dir = await mkdtemp(join(tmpdir(), 'workers-'));
      settings = {
        WORKERS: '2',
        PORT: '0',
        EMBEDDED_CLICKHOUSE_PORT: String(await freePort()),
        DATA_DIR: join(dir, 'data'),
        DEMO: 'off',
        TRUSTED_PROXIES: '127.0.0.1',
        ...(redis && { REDIS_URL: redis.url }),
      };
      server = run('api/main.ts', [], settings);
      const output = await server.until(/listening on .*\n/);
      assert.equal(output.match(/listening on/g)?.length, 1);
      url = /listening on (\S+)/.exec(output)?.[1] ?? '';
    }).timeout(60_000);
    after(async () => {
      server.kill('SIGTERM');
      await server.finished;
      await redis?.stop();
      await rm(dir, { recursive: true });
    });

    async function keys(...args: readonly string[]): Promise<string> {
      const { code, stdout } = await run('api/auth/keys-command.ts', args, settings).finished;
      assert.equal(code, 0, stdout);
      return stdout.trimEnd();
    }
    const createKey = async (plan: string) => (await keys('create', '--plan', plan)).split('\n').at(-1) ?? '';

    /** Sends a request on a connection of its own: any idle worker can accept it. */
    async function request(
      key: string,
      target = `${OBSERVATIONS}?x=1`,
      from = DEFAULT_ADDRESS,
    ): Promise<WorkerResponse> {
      const id = randomUUID();
      const headers = { authorization: `Bearer ${key}`, 'x-request-id': id, ...from };
      const response = await new Promise<Omit<WorkerResponse, 'worker'>>((resolve, reject) => {
        const signal = AbortSignal.timeout(5000);
        get(`${url}${target}`, { agent: false, headers, signal }, (message) => {
          let body = '';
          message.setEncoding('utf8').on('data', (text: string) => {
            body += text;
          });
          message.on('end', () =>
            resolve({ status: message.statusCode ?? 0, headers: message.headers, body }),
          );
        }).on('error', reject);
      });
      const output = await server.until(new RegExp(`"requestId":"${id}".*\n`));
      const line = output.split('\n').find((text) => text.includes(`"worker":`) && text.includes(id)) ?? '';
      return { ...response, worker: (JSON.parse(line) as { worker: number }).worker };
    }

    const concurrently = (times: number, send: (n: number) => Promise<WorkerResponse>) =>
      Promise.all(Array.from({ length: times }, (_, n) => send(n)));

    /** Repeats concurrent requests until both workers have served some of them. */
    async function repeatUntilBothServe(burst: () => Promise<readonly WorkerResponse[]>): Promise<void> {
      for (;;) if (new Set((await burst()).map(({ worker }) => worker)).size === 2) return;
    }

    it('allow together the requests per second of the plan (D28)', async () => {
      await repeatUntilBothServe(async () => {
        const key = await createKey('starter');
        const started = performance.now();
        const batch = await concurrently(40, () => request(key));
        const windows = Math.floor((performance.now() - started) / 1000) + 1;
        const remaining = batch
          .filter(({ status }) => status === 400)
          .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
        const refused = batch.filter(({ status }) => status !== 400);
        // 503 is the response when the count comes too late on a busy machine.
        const uncounted = refused.filter(({ status }) => status === 503).length;
        assert.ok(remaining.length + uncounted >= 10, `${remaining}`);
        assert.ok(remaining.length <= 10 * windows, `${remaining} of ${windows}`);
        // Each window has 9, 8, 7 … once.
        const times = Array.from({ length: 10 }, (_, n) => remaining.filter((left) => left === n).length);
        assert.ok(Math.max(...times) <= windows, `${times} of ${windows}`);
        for (const { status, headers } of refused) {
          assert.ok(status === 429 || status === 503, String(status));
          assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['10', '0']);
        }
        return batch;
      });
    }).timeout(60_000);

    it('both refuse a revoked key on the next request (D26, D27)', async () => {
      await repeatUntilBothServe(async () => {
        const key = await createKey('professional');
        for (const { status } of await concurrently(16, () => request(key)))
          assert.ok(status === 400 || status === 503, String(status));
        const id = (await keys('list')).split('\n').find((line) => line.includes(key.slice(-4))) ?? '';
        await keys('revoke', id.split(' ')[0] ?? '');
        const batch = await concurrently(16, (n) =>
          request(key, OBSERVATIONS, { 'x-forwarded-for': `198.51.100.${n}` }),
        );
        // 503 is the response when the look-up comes too late on a busy machine.
        for (const { status } of batch) assert.ok(status === 401 || status === 503, String(status));
        return batch.filter(({ status }) => status === 401);
      });
    }).timeout(60_000);

    it('are replaced when one or both exit, and no later request fails', async () => {
      const key = await createKey('professional');
      const responses: WorkerResponse[] = [];
      const requestSome = async () => {
        const batch = await concurrently(8, () => request(key));
        responses.push(...batch);
        return batch;
      };
      await repeatUntilBothServe(requestSome);
      const first = new Set(responses.map(({ worker }) => worker));
      const [killed = 0, other = 0] = first;
      process.kill(killed, 'SIGKILL');
      await server.until(workerExited(killed));
      await repeatUntilBothServe(requestSome);
      const replacement = responses.find(({ worker }) => !first.has(worker))?.worker ?? 0;
      for (const worker of [other, replacement]) process.kill(worker, 'SIGKILL');
      await server.until(workerExited(replacement));
      await server.until(workerExited(other));
      while (!(await isReady())) await sleep(50);
      await repeatUntilBothServe(requestSome);
      // 429 is the response when the repeated requests exceed the plan.
      assert.deepEqual(
        responses.filter(({ status }) => status !== 400 && status !== 429),
        [],
      );
    }).timeout(60_000);

    it('serve the metrics of both, also after one has exited', async () => {
      const key = await createKey('professional');
      let expected = 0;
      await repeatUntilBothServe(async () => {
        const batch = await concurrently(8, () => request(key, '/nowhere'));
        expected += batch.filter(({ status }) => status === 404).length;
        return batch;
      });
      const readCount = async () => {
        const { body, worker } = await request(key, '/metrics');
        return { worker, count: Number(/^history_requests_total\{status="404".*\} (\d+)$/m.exec(body)?.[1]) };
      };
      // The count of another worker can arrive later.
      while ((await readCount()).count !== expected) await sleep(10);
      const { worker } = await readCount();
      process.kill(worker, 'SIGKILL');
      await server.until(workerExited(worker));
      assert.equal((await readCount()).count, expected);
    }).timeout(60_000);

    if (store === 'the primary')
      it('respond with 503 while the primary does not count, and recover with it (D30)', async () => {
        const key = await createKey('professional');
        assert.equal((await request(key)).status, 400);
        process.kill(server.pid, 'SIGSTOP');
        const refused = await concurrently(4, () => request(key));
        process.kill(server.pid, 'SIGCONT');
        for (const { status, body } of refused) {
          assert.equal(status, 503);
          assert.match(body, /"key_store_unavailable"/);
        }
        while ((await request(key)).status !== 400) await sleep(50);
      }).timeout(60_000);

    it('are started again until they can listen', async () => {
      const key = await createKey('professional');
      const workers = new Set<number>();
      await repeatUntilBothServe(async () => {
        const batch = await concurrently(8, () => request(key));
        for (const { worker } of batch) workers.add(worker);
        return batch;
      });
      for (const worker of workers) process.kill(worker, 'SIGKILL');
      const { port } = new URL(url);
      const portHolder = await takePort(Number(port));
      await server.until(/"worker start failed","reason":"[^"]*EADDRINUSE/);
      portHolder.close();
      while (!(await isReady())) await sleep(50);
    }).timeout(60_000);

    it('exit with the primary, also when it is killed', async () => {
      server.kill('SIGKILL');
      await server.finished;
      while (await isReady()) await sleep(50);
      // The engine stops too: only the primary had joined it.
      while ((await readdir(settings.DATA_DIR ?? '')).includes('engine.json')) await sleep(50);
    }).timeout(60_000);

    async function isReady(): Promise<boolean> {
      return fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    }
  });
