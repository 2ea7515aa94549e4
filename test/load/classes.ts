import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../api/auth/api-key.ts';
import {
  type Answer,
  type ClientRequest,
  head,
  keepAlive,
  LARGE_PAGE,
  OBSERVATIONS,
  openSocket,
  PAGE,
  SMALL_PAGE,
  send,
} from '../faults/clients/client.ts';

/** Clients of one kind. Each repeats `next` with a pause until the end. */
export type ClientClass = {
  readonly name: string;
  readonly clients: number;
  readonly pauseMs: number;
  /** Labels of the answers that are right; every other one is an error. */
  readonly answers: readonly string[];
  /** A new client, with the keys of its own; returns what sends its next request. */
  readonly create: (url: string, key: string, at: number) => () => Promise<Answer | undefined>;
};

const SLOW_BYTES = 65_536;
const SLOW_PAUSE_MS = 100;

export const CLASSES: readonly ClientClass[] = [
  { name: 'walk of all pages', clients: 3, pauseMs: 100, answers: ['200'], create: walker },
  { name: 'small page', clients: 4, pauseMs: 50, answers: ['200'], create: repeated({ path: SMALL_PAGE }) },
  {
    name: 'large page, brotli or gzip',
    clients: 2,
    pauseMs: 2000,
    answers: ['200'],
    create: (url, key, at) =>
      repeated({ path: LARGE_PAGE, headers: { 'accept-encoding': at % 2 === 0 ? 'br' : 'gzip' } })(url, key),
  },
  {
    name: 'stream, CSV or Parquet',
    clients: 2,
    pauseMs: 2000,
    answers: ['200'],
    create: (url, key, at) =>
      repeated({ path: LARGE_PAGE.replace('?', at % 2 === 0 ? '.csv?' : '.parquet?') })(url, key),
  },
  { name: 'repeat with If-None-Match', clients: 2, pauseMs: 100, answers: ['200', '304'], create: repeater },
  {
    name: 'refusal: wrong parameters',
    clients: 1,
    pauseMs: 50,
    answers: ['400 invalid_parameter'],
    create: repeated({ path: `${OBSERVATIONS}?stations=x` }),
  },
  {
    name: 'refusal: unknown key',
    clients: 1,
    pauseMs: 50,
    answers: ['401 invalid_credentials', '429 rate_limited'],
    create: (url) => () => send(url, { key: generateKey(), path: PAGE, address: '127.0.4.1' }),
  },
  {
    name: 'refusal: no key, over the limit',
    clients: 2,
    pauseMs: 20,
    answers: ['401 missing_credentials', '429 rate_limited'],
    create: (url) => () => send(url, { path: PAGE, address: '127.0.4.2' }),
  },
  { name: 'slow reader of a large page', clients: 2, pauseMs: 0, answers: [], create: slowReader },
  { name: 'vanishing client', clients: 1, pauseMs: 500, answers: [], create: vanishing },
  {
    name: 'probe /readyz',
    clients: 1,
    pauseMs: 500,
    answers: ['200'],
    create: (url) => () => send(url, { path: '/readyz' }),
  },
];

function repeated(request: ClientRequest) {
  return (url: string, key: string) => {
    const agent = keepAlive();
    return () => send(url, { ...request, key, agent });
  };
}

/** Follows the cursors to the last page, then begins again. */
function walker(url: string, key: string) {
  const agent = keepAlive();
  let cursor = '';
  return async () => {
    const answer = await send(url, { path: `${PAGE}${cursor}`, key, agent });
    const meta = answer.status === 200 ? (JSON.parse(answer.body) as Meta).meta : undefined;
    cursor = meta?.nextCursor === undefined ? '' : `&cursor=${meta.nextCursor}`;
    return answer;
  };
}

type Meta = { readonly meta: { readonly nextCursor?: string } };

function repeater(url: string, key: string) {
  const agent = keepAlive();
  let etag = '"none"';
  return async () => {
    const answer = await send(url, { path: PAGE, key, agent, headers: { 'if-none-match': etag } });
    etag = String(answer.headers.etag ?? etag);
    return answer;
  };
}

/** Reads about 640 kB a second. */
function slowReader(url: string, key: string) {
  return async () => {
    const { socket, isOpen } = openSocket(url, { reads: false });
    socket.write(head(LARGE_PAGE, key, 'Connection: close\r\n'));
    socket.pause();
    while (isOpen()) {
      socket.read(SLOW_BYTES) ?? socket.read();
      await sleep(SLOW_PAUSE_MS);
    }
    return undefined;
  };
}

function vanishing(url: string, key: string) {
  return async () => {
    const { socket, closed } = openSocket(url);
    socket.write(head(LARGE_PAGE, key), () => socket.resetAndDestroy());
    await closed;
    return undefined;
  };
}
