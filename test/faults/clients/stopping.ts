import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { startService } from '../service.ts';
import { Answers } from './answers.ts';
import { type Answer, keepAlive, LARGE_PAGE, PAGE, SMALL_PAGE, send } from './client.ts';

const WAYS = [
  { load: 'small pages, open connections', path: SMALL_PAGE, isKeptAlive: true },
  { load: 'pages, new connections', path: PAGE, isKeptAlive: false },
  { load: 'large pages', path: LARGE_PAGE, isKeptAlive: true },
] as const;

/** Once the port is closed, a client that connects sees this. */
const CLOSED = 'ECONNREFUSED';
const CLIENTS = 4;

/** No response breaks off, and no connection is reset, when the service stops under load. */
export const STOPPING: readonly Fault[] = (['SIGTERM', 'SIGINT'] as const).flatMap((signal) =>
  WAYS.map(({ load, path, isKeptAlive }) => ({
    name: `${signal}: ${load}`,
    does: 'completes responses',
    action: `${signal} while ${CLIENTS} clients ask for ${load}`,
    expect: {
      answers: ['200', '429 rate_limited', '503 overloaded', CLOSED],
      required: ['200', CLOSED],
      longestWaitMs: 8000,
    },
    recoveryMs: 20_000,
    async run() {
      const service = await startService();
      const keys = await Promise.all(Array.from({ length: CLIENTS }, () => service.createKey()));
      const answers = new Answers();
      const clients = keys.map(async (key) => {
        const agent = isKeptAlive ? keepAlive() : undefined;
        for (let last: Answer | undefined; last?.label !== CLOSED; ) {
          last = answers.add(await send(service.url, { key, path, ...(agent && { agent }) }));
          await sleep(10);
          if (last.status === 0 && last.label !== CLOSED) break;
        }
        agent?.destroy();
      });
      await sleep(1000);
      const started = performance.now();
      service.kill(signal);
      await Promise.all(clients);
      const code = await service.exit;
      const recoveryMs = performance.now() - started;
      await service.stop();
      return { answers, recoveryMs, breaches: [code !== 0 && `exit code ${code}`] };
    },
  })),
);
