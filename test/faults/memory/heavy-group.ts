import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { SNAPSHOT_TABLES } from '../../../clickhouse/snapshot/export-files.ts';
import {
  FORMAT,
  FORMAT_VERSION,
  MANIFEST,
  reportPath,
  tablePath,
} from '../../../clickhouse/snapshot/manifest.ts';
import { watchHighest } from '../../support/process-usage.ts';
import { emptyDirectory } from '../archive.ts';
import { Answers } from '../clients/answers.ts';
import {
  type ClientRequest,
  closeAll,
  head,
  LARGE_PAGE,
  OBSERVATIONS,
  type OpenSocket,
  openSocket,
  openSockets,
  send,
} from '../clients/client.ts';
import type { Fault, Outcome } from '../fault.ts';
import { sendAs } from '../power/claims.ts';
import { type Service, startService } from '../service.ts';
import { type Container, startInContainer } from './limited-memory.ts';

/** What keys send, each 100 requests a second. */
type HeavyCase = {
  readonly name: string;
  readonly keys: number;
  /** The request with this number. */
  readonly request: (n: number) => ClientRequest;
};

const HOUR_MS = 3_600_000;
const START = Date.UTC(2023, 0, 1);
const STREAM = LARGE_PAGE.replace('&limit=10000', '');
const FORMATS = ['ndjson', 'csv', 'parquet', 'arrow'];
const ENCODINGS = ['identity', 'gzip', 'br'];

/** A thousand stations without reports in the archive. */
const STATIONS = Array.from({ length: 1000 }, (_, n) => `Z${n.toString(26).padStart(3, '0').toUpperCase()}`)
  .map((code) => code.replace(/\d/g, (digit) => 'QRSTUVWXYZ'[Number(digit)] ?? ''))
  .join();

const since = (n: number) => `from=${new Date(START + n * HOUR_MS).toISOString().slice(0, 19)}Z`;
/** Each page has other records. */
const newPage = (n: number) => LARGE_PAGE.replace(/from=[^&]+/, since(n % 4000));
const compressed = (encoding: string | undefined) => ({ 'accept-encoding': encoding ?? 'identity' });

const newCoverage = (n: number): ClientRequest => ({
  path: `${OBSERVATIONS}?stations=${STATIONS}&${since(n)}&to=2024-01-01T00:00:00Z&limit=1`,
});

const newStream = (n: number): ClientRequest => ({ path: STREAM.replace('?', `.${FORMATS[n % 4]}?`) });

const HEAVY_CASES: readonly HeavyCase[] = [
  ...ENCODINGS.flatMap((encoding) => [
    {
      name: `one page in memory, ${encoding}`,
      keys: 1,
      request: () => ({ path: LARGE_PAGE, headers: compressed(encoding) }),
    },
    {
      name: `new pages, ${encoding}`,
      keys: 1,
      request: (n: number) => ({ path: newPage(n), headers: compressed(encoding) }),
    },
  ]),
  { name: 'coverage of 1,000 stations', keys: 1, request: newCoverage },
  {
    name: 'streams of all formats',
    keys: 1,
    request: newStream,
  },
  {
    name: 'all of these from eight keys at once',
    keys: 8,
    request(n) {
      if (n % 5 === 0) return newCoverage(n);
      if (n % 7 === 0) return newStream(n);
      return { path: n % 2 === 0 ? newPage(n) : LARGE_PAGE, headers: compressed(ENCODINGS[n % 3]) };
    },
  },
];

const CONTAINER_MB = 1024;
const [PER_SECOND, SECONDS] = [100, 10];
const NOT_READING = 200;
const SLOW_READERS = 1000;
/** A light key waits at most this long in the median. */
const LIGHT_MS = 100;

/** The median wait, and all labels. */
type Light = { readonly medianMs: number; readonly labels: readonly string[] };

export async function startContainer(): Promise<Container> {
  const files = await writeSnapshot();
  const { stop, ...container } = await startInContainer(CONTAINER_MB, { ARCHIVE_FILES: files });
  return {
    ...container,
    async stop() {
      await stop();
      await rm(files, { recursive: true });
    },
  };
}

const FILE = reportPath(2024, 1);
/** More than the kernel takes for a client that reads little. */
const FILE_BYTES = 16 * 1024 * 1024;

/** A folder that the api takes for a snapshot, because it only sends the bytes of its files. */
async function writeSnapshot(): Promise<string> {
  const folder = await emptyDirectory();
  const files = [...SNAPSHOT_TABLES.map(tablePath), FILE].map((path) => ({
    path,
    bytes: path === FILE ? FILE_BYTES : 0,
    rows: 0,
    sha256: '0'.repeat(64),
    ...(path === FILE && {
      reports: { year: 2024, firstStation: 'XAAA', lastStation: 'XAAA', state: '' },
    }),
  }));
  const days = { firstDay: '2024-01-01', endDay: '2025-01-01', stations: 'all', reports: 0 };
  const manifest = { format: FORMAT, version: FORMAT_VERSION, ...days, files };
  await writeFile(join(folder, MANIFEST), JSON.stringify(manifest));
  await mkdir(dirname(join(folder, FILE)), { recursive: true });
  await writeFile(join(folder, FILE), '');
  await truncate(join(folder, FILE), FILE_BYTES);
  return folder;
}

export const stopContainer = ({ stop }: Container): Promise<void> => stop();

const ANSWERS = ['200', '429 rate_limited', '503 overloaded'];

/** What a key may do within its plan neither ends a process nor keeps others from being served. */
export const HEAVY_FAULTS: readonly Fault<Container>[] = [
  ...HEAVY_CASES.map(
    ({ name, keys, request }): Fault<Container> => ({
      name,
      action: `${PER_SECOND} requests a second of ${keys === 1 ? 'one professional key' : `${keys} keys each`} for ${SECONDS} s; another key asks for small pages`,
      expect: { answers: ANSWERS, required: ['200'], longestWaitMs: 20_000 },
      run: (container) =>
        watched(container, async (answers) => {
          const { service } = container;
          const senders = await Promise.all(Array.from({ length: keys }, () => service.createKey()));
          await sendAtRate(SECONDS * PER_SECOND * keys, PER_SECOND * keys, async (n) => {
            const at = n % keys;
            const sender = { key: senders[at] ?? '', address: `127.0.4.${at + 1}`, dropsBody: true };
            answers.add(await send(service.url, { ...request(n), ...sender }));
          });
        }),
    }),
  ),
  {
    name: 'a statement that wants more memory than there is',
    action:
      'the loader asks the engine for an array of 3 GB, five times in turn; another key asks for small pages',
    expect: {
      answers: ['MEMORY_LIMIT_EXCEEDED'],
      required: ['MEMORY_LIMIT_EXCEEDED'],
      longestWaitMs: 20_000,
    },
    run: (container) =>
      watched(container, async (answers) => {
        const statement = 'SELECT length(groupArray(number)) FROM numbers(400000000)';
        // One statement takes half a second, too short to affect the median of another key's waits.
        for (let n = 0; n < 5; n += 1) {
          const started = performance.now();
          const error = await sendAs(container.service.dataDir, 'loader', statement).catch(String);
          const label = /MEMORY_LIMIT_EXCEEDED/.exec(error)?.[0] ?? error;
          answers.addLabel(label, performance.now() - started);
        }
      }),
  },
  {
    name: `${NOT_READING} clients that do not read`,
    action: `${NOT_READING} large pages of eight keys that nobody reads, for 8 s; another key asks for small pages`,
    run: (container) =>
      watched(container, async () => {
        const sockets = await openReaders(container.service, NOT_READING);
        await sleep(8000);
        closeAll(sockets);
      }),
  },
  {
    name: `${SLOW_READERS} slow readers of a file`,
    action: `one professional key reads a file of 16 MB over ${SLOW_READERS} connections, 64 kB in 4 s each; another key asks for small pages`,
    expect: { answers: ANSWERS, required: ['200', '503 overloaded'], longestWaitMs: 20_000 },
    run: (container) => watched(container, (answers) => readSlowly(container.service, SLOW_READERS, answers)),
  },
];

/** Opens connections at the rate of a plan and takes what a buffer holds in four seconds; adds their answers. */
async function readSlowly({ url, createKey }: Service, count: number, answers: Answers): Promise<void> {
  const [key, sockets] = [await createKey(), new Set<OpenSocket>()];
  await sendAtRate(count, 0.9 * PER_SECOND, async (at) => {
    const open = openSocket(url, { reads: false, address: `127.0.4.${(at % 4) + 1}` });
    sockets.add(open);
    open.socket.write(head(`/v1/history/files/${FILE}`, key));
    await Promise.race([once(open.socket, 'readable'), open.closed]);
    const text = `${open.socket.read() ?? ''}`;
    answers.addLabel(
      [/\d{3}/.exec(text)?.[0] ?? 'no answer', /"code":"(\w+)"/.exec(text)?.[1]].filter(Boolean).join(' '),
    );
  });
  for (let n = 0; n < 5; n += 1) {
    await sleep(4000);
    for (const { socket } of sockets) socket.read();
  }
  closeAll([...sockets]);
}

/** Every allowed size of the cache is safe: also where texts of coverage fill it. */
export const PAGE_CACHE_FAULTS: readonly Fault[] = [
  [0, 500],
  [64, 1000],
  [256, 2000],
  [1024, 2000],
].map(([pageCacheMb = 0, ranges = 0]) => ({
  name: `PAGE_CACHE_MB=${pageCacheMb}`,
  action: `one professional key asks for the coverage of 1,000 stations over ${ranges} ranges, 20 at a time`,
  expect: { answers: ANSWERS, required: ['200'], longestWaitMs: 20_000 },
  async run() {
    const service = await startService({ settings: { PAGE_CACHE_MB: String(pageCacheMb) } });
    const answers = new Answers();
    const peak = watchHighest(service.residentMegabytes);
    const key = await service.createKey();
    let sent = 0;
    const next = async () => {
      for (let n = sent++; n < ranges; n = sent++) {
        const answer = answers.add(await send(service.url, { ...newCoverage(n), key, dropsBody: true }));
        if (answer.status === 429) await sleep(300);
      }
    };
    await Promise.all(Array.from({ length: 20 }, next));
    const [most, isRunning] = [peak.stop(), service.isRunning()];
    await service.stop();
    return { answers, notes: [`${most} MB`], breaches: breachesOf(most, pageCacheMb, isRunning) };
  },
}));

/** Memory, both processes and a light key during the work. */
async function watched(
  { service, memory }: Container,
  work: (answers: Answers) => Promise<void>,
): Promise<Outcome> {
  const answers = new Answers();
  const [engine, killedBefore] = [await service.enginePid(), await memory.killed()];
  const peak = watchHighest(service.residentMegabytes);
  const light = await lightClient(service.url, await service.createKey(), () => work(answers));
  const most = peak.stop();
  const killed = (await memory.killed()) - killedBefore;
  return {
    answers,
    notes: [
      `api ${most} MB, both ${await memory.peakMegabytes()} MB`,
      `other key ${Math.round(light.medianMs)} ms`,
    ],
    breaches: [
      ...breachesOf(most, 64, service.isRunning()),
      killed > 0 && `the kernel killed ${killed} processes`,
      (await service.enginePid()) !== engine && 'the engine ended',
      light.medianMs > LIGHT_MS && `the other key waits ${light.medianMs} ms, limit ${LIGHT_MS} ms`,
      ...light.labels.map((label) => label !== '200' && `the other key got ${label}`),
    ],
  };
}

/** The api may take 300 MB, PAGE_CACHE_MB and RESPONSE_MEMORY_MB. */
function breachesOf(most: number, pageCacheMb: number, isRunning: boolean) {
  const limit = 300 + pageCacheMb + 128;
  return [most > limit && `the api took ${most} MB, limit ${limit} MB`, !isRunning && 'the process ended'];
}

/** What a client in a process of its own sees during the work: this one is busy with its floods. */
async function lightClient(url: string, key: string, work: () => Promise<void>): Promise<Light> {
  const program = fileURLToPath(new URL('./light-client.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', program, url, key], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = text(child.stdout);
  await work().finally(() => child.kill('SIGTERM'));
  return JSON.parse(await printed);
}

/** Sends requests at a rate, at most a thousand of them under way, and waits for all answers. */
async function sendAtRate(
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
async function openReaders(service: Service, count: number): Promise<readonly OpenSocket[]> {
  const keys = await Promise.all(Array.from({ length: 8 }, () => service.createKey()));
  const sockets = openSockets(count, service.url, { reads: false });
  for (const [at, { socket }] of sockets.entries()) socket.write(head(LARGE_PAGE, keys[at % 8]));
  return sockets;
}
