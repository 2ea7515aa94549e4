import { setTimeout as sleep } from 'node:timers/promises';
import { fuzz } from '../../support/api/fuzz.ts';
import { seededRandom } from '../../support/random.ts';
import type { Fault } from '../fault.ts';
import type { Service } from '../service.ts';
import { Answers } from './answers.ts';
import { PAGE, send } from './client.ts';
import { exchange, head } from './sockets.ts';

/** With other seeds and more of them: `TEST_RANDOM=1 npx mocha test/integration/api/http/fuzz.test.ts`. */
const FUZZ_SEEDS = 20;
const FUZZ_REQUESTS = 200;

/** A request that hides in the body of another; its answer would hold `# HELP`. */
const HIDDEN = 'GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n';

const SMUGGLING: readonly string[] = [
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${HIDDEN.length}\r\nTransfer-Encoding: chunked\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0, ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length : ${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +${HIDDEN.length}\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\x0bchunked\r\n\r\n0\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0x5\r\naaaaa\r\n0\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\r\nHost: a\r\nX: a\r\n Content-Length: 0\r\n\r\n${HIDDEN}`,
  `POST / HTTP/1.1\nHost: a\nContent-Length: ${HIDDEN.length}\n\n${HIDDEN}`,
];

export const PROTOCOL_FAULTS: readonly Fault<Service>[] = [
  {
    name: 'Request smuggling',
    action: `${SMUGGLING.length} requests with two lengths, wrong lengths and wrong encodings, and a request in the body`,
    expect: { answers: [], longestWaitMs: 0 },
    async run({ url }) {
      const breaches: string[] = [];
      for (const bytes of SMUGGLING) {
        const answer = await exchange(url, bytes);
        const statuses = [...(answer ?? '').matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);
        // A connection that closes without an answer is safe too.
        const isRefused = statuses.length < 2 && statuses.every((status) => /^4\d\d$/.test(status ?? ''));
        const isRight = answer !== undefined && isRefused && !answer.includes('# HELP');
        if (!isRight) breaches.push(`${JSON.stringify(bytes.split('\r\n\r\n')[0])}: ${statuses.join(', ')}`);
      }
      return {
        answers: new Answers(),
        notes: ['at most one refusal each, and the connection closes'],
        breaches,
      };
    },
  },
  {
    name: 'A good request before garbage',
    action: 'a request and then bytes that are not HTTP, on one connection',
    expect: { answers: [], longestWaitMs: 0 },
    async run({ url, createKey }) {
      const key = await createKey();
      const breaches: string[] = [];
      for (const path of ['/healthz', `${PAGE}&limit=5`]) {
        const answer = (await exchange(url, `${head(path, key)}garbage\r\n\r\n`)) ?? '';
        if (!answer.startsWith('HTTP/1.1 200'))
          breaches.push(`${path.split('?')[0]}: ${answer.slice(0, 30)}`);
      }
      return { answers: new Answers(), notes: ['the request gets its answer'], breaches };
    },
  },
  {
    name: 'Transfer-Encoding: identity',
    action: 'a GET with this header',
    expect: { answers: [], longestWaitMs: 0 },
    async run({ url }) {
      const answer =
        (await exchange(
          url,
          head('/healthz', undefined, 'Transfer-Encoding: identity\r\nConnection: close\r\n'),
        )) ?? '';
      const [line = ''] = answer.split('\r\n');
      const isRight = /^HTTP\/1\.1 (200|400|501) /.test(line);
      return { answers: new Answers(), notes: [line], breaches: isRight ? [] : [`no answer: ${line}`] };
    },
  },
  {
    name: 'Random requests',
    action: `${FUZZ_SEEDS * FUZZ_REQUESTS} requests with random parameters, headers, paths, methods, cursors and damaged bytes`,
    expect: { answers: [], longestWaitMs: 0 },
    async run({ url, createKey, isRunning }) {
      const faults: string[] = [];
      const statuses = new Set<string>();
      for (let seed = 101; seed < 101 + FUZZ_SEEDS; seed += 1) {
        const result = await fuzz(url, () => createKey(), seed, FUZZ_REQUESTS);
        faults.push(...result.faults);
        for (const status of result.statuses.keys()) statuses.add(status);
      }
      return {
        answers: new Answers(),
        notes: [`statuses ${[...statuses].sort().join(' ')}`],
        breaches: [...faults.slice(0, 3), ...(isRunning() ? [] : ['the process ended'])],
      };
    },
  },
  {
    name: 'Forged and damaged cursors',
    action: '400 cursors with one changed, missing or added character, and one of other filters',
    expect: {
      answers: ['400 invalid_cursor', '400 cursor_mismatch', '400 invalid_parameter'],
      required: ['400 invalid_cursor', '400 cursor_mismatch'],
      longestWaitMs: 2000,
    },
    async run({ url, createKey }) {
      const random = seededRandom(1);
      let key = await createKey();
      const { body } = await send(url, { key, path: PAGE });
      const cursor = (JSON.parse(body) as { meta: { nextCursor: string } }).meta.nextCursor;
      const answers = new Answers();
      answers.add(await send(url, { key, path: `${PAGE}&type=speci&cursor=${cursor}` }));
      for (let sent = 0; sent < 400; sent += 1) {
        if (sent % 80 === 0) key = await createKey();
        answers.add(await send(url, { key, path: `${PAGE}&cursor=${damaged(cursor, random)}` }));
        await sleep(1);
      }
      return { answers };
    },
  },
];

function damaged(cursor: string, random: () => number): string {
  const at = Math.floor(random() * cursor.length);
  const other = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    .replace(cursor[at] ?? '', '')
    .charAt(Math.floor(random() * 63));
  const [before, after] = [cursor.slice(0, at), cursor.slice(at + 1)];
  const forms = [before + other + after, before + after, `${before}${other}${cursor.slice(at)}`, before];
  return forms[Math.floor(random() * forms.length)] || '.';
}
