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
import { HISTORY } from '../../../support/api.ts';
import { freePort, type Running, run } from '../../../support/process.ts';
import { startTestRedis, type TestRedis } from '../../../support/redis.ts';

/** As soon as whoever has it lets go. */
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

type Answer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The process that answered, by its log. */
  readonly worker: number;
};

const ANYWHERE = { 'x-forwarded-for': '192.0.2.1' };

for (const store of ['the primary', 'Redis'] as const)
  describe(`two workers that count in ${store}`, () => {
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
        EMBEDDED_CLICKHOUSE_PORT: await freePort(),
        DATA_DIR: join(dir, 'data'),
        DEMO: 'off',
        TRUSTED_PROXIES: '127.0.0.1',
        ...(redis && { REDIS_URL: redis.url }),
      };
      server = run('api/main.ts', [], settings);
      const said = await server.until(/listening on .*\n/);
      assert.equal(said.match(/listening on/g)?.length, 1);
      url = /listening on (\S+)/.exec(said)?.[1] ?? '';
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

    /** On a connection of its own, which whichever worker is at leisure accepts. */
    async function ask(key: string, target = `${HISTORY}?x=1`, from = ANYWHERE): Promise<Answer> {
      const id = randomUUID();
      const headers = { authorization: `Bearer ${key}`, 'x-request-id': id, ...from };
      const answer = await new Promise<Omit<Answer, 'worker'>>((resolve, reject) => {
        const signal = AbortSignal.timeout(5000);
        get(`${url}${target}`, { agent: false, headers, signal }, (response) => {
          let body = '';
          response.setEncoding('utf8').on('data', (text: string) => {
            body += text;
          });
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
          );
        }).on('error', reject);
      });
      const said = await server.until(new RegExp(`"requestId":"${id}".*\n`));
      const line = said.split('\n').find((text) => text.includes(`"worker":`) && text.includes(id)) ?? '';
      return { ...answer, worker: (JSON.parse(line) as { worker: number }).worker };
    }

    const together = (times: number, one: (n: number) => Promise<Answer>) =>
      Promise.all(Array.from({ length: times }, (_, n) => one(n)));

    /** Repeats a burst until both workers had a part in it. */
    async function sharedByBoth(burst: () => Promise<readonly Answer[]>): Promise<void> {
      for (;;) if (new Set((await burst()).map(({ worker }) => worker)).size === 2) return;
    }

    it('let through in one window what the plan says, together (D28)', async () => {
      await sharedByBoth(async () => {
        const key = await createKey('starter');
        const began = performance.now();
        const answers = await together(40, () => ask(key));
        const windows = Math.floor((performance.now() - began) / 1000) + 1;
        const remaining = answers
          .filter(({ status }) => status === 400)
          .map(({ headers }) => Number(headers['x-ratelimit-remaining']));
        const refused = answers.filter(({ status }) => status !== 400);
        // 503 is what a count that came too late on a busy machine leads to.
        const lost = refused.filter(({ status }) => status === 503).length;
        assert.ok(remaining.length + lost >= 10, `${remaining}`);
        assert.ok(remaining.length <= 10 * windows, `${remaining} of ${windows}`);
        // Of each window 9, 8, 7 … each once.
        const times = Array.from({ length: 10 }, (_, n) => remaining.filter((left) => left === n).length);
        assert.ok(Math.max(...times) <= windows, `${times} of ${windows}`);
        for (const { status, headers } of refused) {
          assert.ok(status === 429 || status === 503, String(status));
          assert.deepEqual([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']], ['10', '0']);
        }
        return answers;
      });
    }).timeout(60_000);

    it('refuse a key from the request after it was revoked, whichever is asked (D26, D27)', async () => {
      await sharedByBoth(async () => {
        const key = await createKey('professional');
        for (const { status } of await together(16, () => ask(key)))
          assert.ok(status === 400 || status === 503, String(status));
        const id = (await keys('list')).split('\n').find((line) => line.includes(key.slice(-4))) ?? '';
        await keys('revoke', id.split(' ')[0] ?? '');
        const answers = await together(16, (n) =>
          ask(key, HISTORY, { 'x-forwarded-for': `198.51.100.${n}` }),
        );
        // 503 is what a look-up that came too late on a busy machine leads to.
        for (const { status } of answers) assert.ok(status === 401 || status === 503, String(status));
        return answers.filter(({ status }) => status === 401);
      });
    }).timeout(60_000);

    it('are replaced when they die, and no request fails that comes after (also of both at once)', async () => {
      const key = await createKey('professional');
      const asked: Answer[] = [];
      const askSome = async () => {
        const answers = await together(8, () => ask(key));
        asked.push(...answers);
        return answers;
      };
      await sharedByBoth(askSome);
      const first = new Set(asked.map(({ worker }) => worker));
      const [victim = 0, other = 0] = first;
      process.kill(victim, 'SIGKILL');
      await server.until(new RegExp(`"worker lost","lost":${victim},`));
      await sharedByBoth(askSome);
      const replaced = asked.find(({ worker }) => !first.has(worker))?.worker ?? 0;
      for (const worker of [other, replaced]) process.kill(worker, 'SIGKILL');
      await server.until(new RegExp(`"worker lost","lost":${replaced},`));
      await server.until(new RegExp(`"worker lost","lost":${other},`));
      while (!(await answers())) await sleep(50);
      await sharedByBoth(askSome);
      // 429 where the bursts were many: that is an answer too.
      assert.deepEqual(
        asked.filter(({ status }) => status !== 400 && status !== 429),
        [],
      );
    }).timeout(60_000);

    it('tell the metrics of both, and lose none with a worker that dies', async () => {
      const key = await createKey('professional');
      let expected = 0;
      await sharedByBoth(async () => {
        const answers = await together(8, () => ask(key, '/nowhere'));
        expected += answers.filter(({ status }) => status === 404).length;
        return answers;
      });
      const found = async () => {
        const { body, worker } = await ask(key, '/metrics');
        return { worker, count: Number(/^history_requests_total\{status="404".*\} (\d+)$/m.exec(body)?.[1]) };
      };
      // What another worker counted may still be on its way.
      while ((await found()).count !== expected) await sleep(10);
      const { worker } = await found();
      process.kill(worker, 'SIGKILL');
      await server.until(new RegExp(`"worker lost","lost":${worker},`));
      assert.equal((await found()).count, expected);
    }).timeout(60_000);

    if (store === 'the primary')
      it('answer 503 while the primary does not count, and recover with it (D30)', async () => {
        const key = await createKey('professional');
        assert.equal((await ask(key)).status, 400);
        process.kill(server.pid, 'SIGSTOP');
        const refused = await together(4, () => ask(key));
        process.kill(server.pid, 'SIGCONT');
        for (const { status, body } of refused) {
          assert.equal(status, 503);
          assert.match(body, /"key_store_unavailable"/);
        }
        while ((await ask(key)).status !== 400) await sleep(50);
      }).timeout(60_000);

    it('are tried again until they can listen', async () => {
      const key = await createKey('professional');
      const workers = new Set<number>();
      await sharedByBoth(async () => {
        const answers = await together(8, () => ask(key));
        for (const { worker } of answers) workers.add(worker);
        return answers;
      });
      for (const worker of workers) process.kill(worker, 'SIGKILL');
      const { port } = new URL(url);
      const squatter = await takePort(Number(port));
      await server.until(/"worker failed","reason":"[^"]*EADDRINUSE/);
      squatter.close();
      while (!(await answers())) await sleep(50);
    }).timeout(60_000);

    it('end with the primary, however it ends', async () => {
      server.kill('SIGKILL');
      await server.finished;
      while (await answers()) await sleep(50);
      // The engine is left as well: it was the primary's to hold.
      while ((await readdir(settings.DATA_DIR ?? '')).includes('engine.json')) await sleep(50);
    }).timeout(60_000);

    async function answers(): Promise<boolean> {
      return fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    }
  });
