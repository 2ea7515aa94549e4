import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { seconds } from '../group.ts';
import { type Service, startService } from '../service.ts';
import { Answers } from './answers.ts';
import { LARGE_PAGE } from './client.ts';
import { closeAll, head, type OpenSocket, openSockets } from './sockets.ts';
import { during, timeUntil } from './traffic.ts';

const SERVED = { answers: ['200'], required: ['200'] } as const;
/** 300 MB beside PAGE_CACHE_MB and RESPONSE_MEMORY_MB. */
const LIMIT_MB = 300 + 64 + 128;
export const startClientsGroup = (): Promise<Service> => startService();

export const CLIENT_FAULTS: readonly Fault<Service>[] = [
  {
    name: 'Idle connections',
    does: 'closes them and serves others',
    action: '4,300 connections from one address that send nothing; newcomers from another',
    expect: { ...SERVED, longestWaitMs: 2500 },
    async run(service) {
      const key = await service.createKey();
      const answers = new Answers();
      const sockets: OpenSocket[] = [];
      const countOpen = () => sockets.filter(({ socket }) => socket.readyState === 'open').length;
      // More at once than the kernel queues would connect seconds later.
      for (let batch = 0; batch < 10; batch += 1) {
        sockets.push(...openSockets(430, service.url, { address: '127.0.0.9' }));
        await sleep(200);
      }
      await sleep(1000);
      const open = countOpen();
      const closedMs = await during(
        service.url,
        answers,
        [
          { key, pauseMs: 200 },
          { path: '/readyz', pauseMs: 200 },
        ],
        () => timeUntil(() => countOpen() === 0, 20_000),
      );
      closeAll(sockets);
      return {
        answers,
        notes: [
          `${open} of 4,300 open at first`,
          closedMs === undefined
            ? `${countOpen()} open after 20 s`
            : `closed after ${seconds(closedMs + 3000)}`,
        ],
        breaches: [
          ...(open > 1024 ? [`${open} connections of one address`] : []),
          ...(closedMs === undefined || closedMs > 12_000 ? ['idle connections stay open'] : []),
        ],
      };
    },
  },
  {
    name: 'Slow headers',
    does: 'closes them and serves others',
    action: '500 connections send one byte of a header a second; others ask meanwhile',
    expect: { ...SERVED, longestWaitMs: 2500 },
    async run(service) {
      const key = await service.createKey();
      const answers = new Answers();
      const sockets = openSockets(500, service.url, { address: '127.0.0.10' });
      for (const { socket } of sockets) socket.write('GET / HTTP/1.1\r\nHost: a\r\nX: ');
      const drip = setInterval(() => {
        for (const { socket, isOpen } of sockets) if (isOpen()) socket.write('a');
      }, 1000);
      const closedMs = await during(service.url, answers, [{ key, pauseMs: 200 }], () =>
        timeUntil(() => sockets.every(({ isOpen }) => !isOpen()), 30_000),
      );
      clearInterval(drip);
      closeAll(sockets);
      return {
        answers,
        notes: [closedMs === undefined ? 'some stay open' : `closed after ${seconds(closedMs)}`],
        breaches: closedMs === undefined ? ['slow connections stay open'] : [],
      };
    },
  },
  {
    name: 'Clients do not read',
    does: 'bounds memory and serves others',
    action: '400 large pages of eight keys that nobody reads; others ask meanwhile',
    expect: { answers: ['200', '503 overloaded'], required: ['200'], longestWaitMs: 8000 },
    async run(service) {
      const keys = await Promise.all(Array.from({ length: 8 }, () => service.createKey()));
      const other = await service.createKey();
      const answers = new Answers();
      const sockets = openSockets(400, service.url, { reads: false });
      for (const [at, { socket }] of sockets.entries()) socket.write(head(LARGE_PAGE, keys[at % 8]));
      let most = 0;
      const watch = setInterval(async () => {
        most = Math.max(most, await service.residentMegabytes());
      }, 100);
      await during(service.url, answers, [{ key: other }, { path: '/readyz' }], () => sleep(12_000));
      clearInterval(watch);
      closeAll(sockets);
      return {
        answers,
        notes: [`${most} MB`],
        breaches: [
          ...(most > LIMIT_MB ? [`the api took ${most} MB, limit ${LIMIT_MB} MB`] : []),
          ...(service.isRunning() ? [] : ['the process ended']),
        ],
      };
    },
  },
  {
    name: 'Large pages for a long time',
    does: 'serves pages; memory does not grow',
    action: 'six clients walk large pages in all encodings for 30 s',
    expect: { answers: ['200', '503 overloaded'], required: ['200'], longestWaitMs: 8000 },
    async run(service) {
      const keys = await Promise.all(Array.from({ length: 6 }, () => service.createKey()));
      const encodings = ['identity', 'gzip', 'br'];
      const answers = new Answers();
      const sizes: number[] = [];
      const watch = setInterval(async () => sizes.push(await service.residentMegabytes()), 250);
      const clients = keys.map((key, at) => ({
        key,
        path: LARGE_PAGE,
        headers: { 'accept-encoding': encodings[at % 3] ?? '' },
      }));
      await during(service.url, answers, clients, () => sleep(30_000));
      clearInterval(watch);
      const third = Math.floor(sizes.length / 3);
      const [early, late] = [Math.max(...sizes.slice(third, -third)), Math.max(...sizes.slice(-third))];
      return {
        answers,
        notes: [`${early} MB, then ${late} MB`],
        breaches: late > early * 1.25 ? ['memory grows'] : [],
      };
    },
  },
];
