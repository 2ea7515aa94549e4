import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../support/engine/engine.ts';
import { NGINX_EXAMPLE, startNginx } from '../../support/nginx.ts';
import { copyOfArchive } from '../archive.ts';
import type { Fault } from '../fault.ts';
import { type Service, startService } from '../service.ts';
import { Answers, during, timeUntil } from './answers.ts';
import { keepAlive, LARGE_PAGE, PAGE, SMALL_PAGE } from './client.ts';

const STREAM = PAGE.replace('?', '.csv?');
const PATHS = [SMALL_PAGE, PAGE, LARGE_PAGE, STREAM];
const ROUNDS = 2;

/** Two instances behind docs/operations/nginx.conf are restarted one after the other, and no request fails. */
export const ROLLING_RESTART: readonly Fault[] = [
  {
    name: 'A rolling restart behind nginx',
    action: `two instances behind docs/operations/nginx.conf are stopped and started in turn, ${ROUNDS} times, while eight clients ask for pages and streams, on open and on new connections`,
    expect: { answers: ['200'], required: ['200'], longestWaitMs: 5000 },
    async run() {
      const dataDir = await copyOfArchive();
      const [enginePort, ...ports] = [await freePort(), await freePort(), await freePort()];
      const start = (port: number) =>
        startService({
          dataDir,
          settings: {
            PORT: String(port),
            EMBEDDED_CLICKHOUSE_PORT: String(enginePort),
            STREAMS_AT_ONCE: '4',
          },
        });
      const instances: Service[] = [];
      for (const port of ports) instances.push(await start(port));
      const nginx = await startNginx(
        dataDir,
        instances.map(({ url }) => url),
        await readFile(NGINX_EXAMPLE, 'utf8'),
      );
      const answers = new Answers();
      const agent = keepAlive();
      const clients = await Promise.all(
        [...PATHS, ...PATHS].map(async (path, at) => {
          const key = await instances[0]?.createKey();
          return { path, pauseMs: 20, ...(key && { key }), ...(at < PATHS.length && { agent }) };
        }),
      );
      const codes: (number | null)[] = [];
      await during(nginx.url, answers, clients, async () => {
        for (let round = 0; round < ROUNDS; round += 1)
          for (const [at, port] of ports.entries()) {
            await sleep(1000);
            instances[at]?.kill('SIGTERM');
            codes.push((await instances[at]?.exit) ?? null);
            const started = await start(port);
            instances[at] = started;
            await timeUntil(async () => (await fetch(`${started.url}/readyz`)).ok, 10_000);
          }
        await sleep(500);
      });
      agent.destroy();
      const tls = await nginx.getOverTls('/readyz');
      await nginx.stop();
      for (const { kill, exit } of instances.slice(1)) {
        kill('SIGTERM');
        await exit;
      }
      await instances[0]?.stop();
      return {
        answers,
        notes: [`${codes.length} restarts`],
        breaches: [
          ...codes.map((code) => code !== 0 && `exit code ${code}`),
          tls !== 200 && `${tls} over TLS`,
        ],
      };
    },
  },
];
