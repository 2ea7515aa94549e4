import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../../api/auth/api-key.ts';
import type { Fault } from '../fault.ts';
import type { Service } from '../service.ts';
import { Answers } from './answers.ts';
import { keepAlive, OBSERVATIONS, send } from './client.ts';
import { exchange } from './sockets.ts';
import { during } from './traffic.ts';

const PER_SECOND = 500;
const FLOOD_SECONDS = 3;

type Flood = {
  readonly name: string;
  readonly action: string;
  readonly send: (url: string, at: number) => Promise<unknown>;
};

const agent = keepAlive();

const FLOODS: readonly Flood[] = [
  {
    name: 'Flood without keys',
    action: 'requests without credentials from one address',
    send: (url) => send(url, { path: OBSERVATIONS, address: '127.0.2.1', agent }),
  },
  {
    name: 'Flood of wrong keys',
    action: 'keys with a wrong checksum from one address',
    send: (url) =>
      send(url, { path: OBSERVATIONS, key: `hist_${'A'.repeat(48)}`, address: '127.0.2.2', agent }),
  },
  {
    name: 'Flood of unknown keys',
    action: 'a new key of the right form in each request, from 250 addresses',
    send: (url, at) => send(url, { path: OBSERVATIONS, key: generateKey(), address: `127.0.3.${at % 250}` }),
  },
  {
    name: 'Flood of wrong paths',
    action: 'paths that do not exist, from one address',
    send: (url, at) => send(url, { path: `/${at}`, address: '127.0.2.3', agent }),
  },
  {
    name: 'Flood of connections',
    action: 'a new connection for each request',
    send: (url) => send(url, { path: OBSERVATIONS, address: '127.0.2.4' }),
  },
  {
    name: 'Flood of garbage',
    action: 'bytes that are not HTTP, on a new connection each',
    send: (url) => exchange(url, 'garbage\r\n\r\n', 5000),
  },
];

/** Strangers send 500 requests a second; a client with a key is served as usual. */
export const FLOOD_FAULTS: readonly Fault<Service>[] = FLOODS.map((flood) => ({
  name: flood.name,
  does: 'serves others',
  action: `${PER_SECOND} a second for ${FLOOD_SECONDS} s: ${flood.action}; one client with a key`,
  expect: { answers: ['200'], required: ['200'], longestWaitMs: 3000 },
  async run(service) {
    const key = await service.createKey();
    const answers = new Answers();
    let sent = 0;
    const pending = new Set<Promise<unknown>>();
    await during(service.url, answers, [{ key }], async () => {
      for (const started = performance.now(); sent < PER_SECOND * FLOOD_SECONDS; await sleep(20)) {
        const due = Math.min(PER_SECOND * FLOOD_SECONDS, ((performance.now() - started) / 1000) * PER_SECOND);
        for (; sent < due && pending.size < 1000; sent += 1) {
          const one = flood.send(service.url, sent).finally(() => pending.delete(one));
          pending.add(one);
        }
      }
      await Promise.all(pending);
    });
    return { answers };
  },
}));
