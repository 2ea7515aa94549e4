import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../../api/auth/api-key.ts';
import type { Fault } from '../fault.ts';
import type { Service } from '../service.ts';
import { Answers, during } from './answers.ts';
import { keepAlive, LARGE_PAGE, OBSERVATIONS, send } from './client.ts';
import { exchange, head, type OpenSocket, openSockets } from './sockets.ts';

const PER_SECOND = 500;
const FLOOD_SECONDS = 3;
const agent = keepAlive();

/** What strangers send. */
const FLOODS: readonly {
  readonly name: string;
  readonly action: string;
  readonly send: (url: string, at: number) => Promise<unknown>;
}[] = [
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

const flood = ({ name, action, send: sendOne }: (typeof FLOODS)[number]): Fault<Service> => ({
  name,
  does: 'serves others',
  action: `${PER_SECOND} a second for ${FLOOD_SECONDS} s: ${action}; one client with a key`,
  expect: { answers: ['200'], required: ['200'], longestWaitMs: 3000 },
  async run({ url, createKey }) {
    const answers = new Answers();
    await during(url, answers, [{ key: await createKey() }], () =>
      sendAtRate(PER_SECOND * FLOOD_SECONDS, PER_SECOND, (at) => sendOne(url, at)),
    );
    return { answers };
  },
});

/** Sends requests at a rate, at most a thousand of them under way, and waits for all answers. */
export async function sendAtRate(
  count: number,
  perSecond: number,
  sendOne: (at: number) => Promise<unknown>,
): Promise<void> {
  const pending = new Set<Promise<unknown>>();
  let sent = 0;
  for (const started = performance.now(); sent < count; await sleep(10)) {
    const due = Math.min(count, ((performance.now() - started) / 1000) * perSecond);
    for (; sent < due && pending.size < 1000; sent += 1) {
      const one = sendOne(sent).finally(() => pending.delete(one));
      pending.add(one);
    }
  }
  await Promise.all(pending);
}

/** Pages of eight keys that nobody reads. */
export async function openReaders(service: Service, count: number): Promise<readonly OpenSocket[]> {
  const keys = await Promise.all(Array.from({ length: 8 }, () => service.createKey()));
  const sockets = openSockets(count, service.url, { reads: false });
  for (const [at, { socket }] of sockets.entries()) socket.write(head(LARGE_PAGE, keys[at % 8]));
  return sockets;
}

export const CLIENT_FAULTS: readonly Fault<Service>[] = FLOODS.map(flood);
