import { connect } from 'node:net';
import { seededRandom } from '../random.ts';
import { fuzzRequest } from './fuzz-requests.ts';

const AT_ONCE = 10;
/** Below the limit of a professional key in a second. */
const REQUESTS_PER_KEY = 80;

/** @returns what went wrong, with the request, so that it can be repeated; and how many answers had each status */
export async function fuzz(
  url: string,
  createKey: () => Promise<string>,
  seed: number,
  requests: number,
): Promise<{ readonly faults: readonly string[]; readonly statuses: ReadonlyMap<string, number> }> {
  const random = seededRandom(seed);
  const faults: string[] = [];
  const statuses = new Map<string, number>();
  let key = await createKey();
  for (let sent = 0; sent < requests; sent += AT_ONCE) {
    if (sent % REQUESTS_PER_KEY === 0) key = await createKey();
    const batch = Array.from({ length: AT_ONCE }, () => fuzzRequest(random, key));
    const sentAt = performance.now();
    const responses = await Promise.all(
      batch.map(async (request) => {
        const response = await sendRaw(url, request);
        return { response, ms: performance.now() - sentAt };
      }),
    );
    for (const [at, request] of batch.entries()) {
      const { response = '', ms = 0 } = responses[at] ?? {};
      const status = response.slice(9, 12);
      if (status !== '') statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const fault = responseFault(request, response, ms);
      if (fault !== undefined)
        faults.push(`seed ${seed}: ${fault}: ${JSON.stringify(request.slice(0, 600))}`);
    }
  }
  return { faults, statuses };
}

/** A request without an answer for this long hangs. */
const HANG_MS = 60_000;
const KEPT_OPEN_MS = 500;

/** What only the service itself may know: its code, its store, its paths. */
const INTERNAL =
  /clickhouse|db::exception|\n\s+at |node_modules|node:internal|\.ts:\d|\/(tmp|root|home|usr|work)\/|econn|ioredis|redis|syntaxerror|typeerror|undefined|\[object/i;

/** Statements are in capitals; parameters are called `select` and `from` too. */
const SQL = /\bSELECT\b.*\bFROM\b/s;

const REQUIRED: readonly (readonly [string, RegExp])[] = [
  ['x-ratelimit-limit', /^(1|10|100)$/],
  ['x-ratelimit-remaining', /^\d+$/],
  ['x-request-id', /^[A-Za-z0-9._-]{1,64}$/],
  ['access-control-allow-origin', /^\*$/],
  ['cache-control', /./],
];

/** Sends the bytes on a connection of their own. The client of an incomplete request closes its side. */
function sendRaw(url: string, bytes: string): Promise<string | 'hang'> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    let text = '';
    const timer = setTimeout(() => {
      resolve(text === '' ? 'hang' : text);
      socket.destroy();
    }, HANG_MS);
    socket.setEncoding('latin1').on('data', (chunk) => {
      // A damaged request may lack `Connection: close`.
      if (text === '') setTimeout(() => socket.end(), KEPT_OPEN_MS);
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    if (isComplete(bytes)) socket.write(bytes, 'latin1');
    else socket.end(bytes, 'latin1');
  });
}

/** What is wrong with the response to a fuzzed request; undefined where nothing is. */
function responseFault(request: string, response: string | 'hang', ms: number): string | undefined {
  if (response === 'hang') return 'no answer';
  if (response === '') return isComplete(request) ? 'the connection closed without an answer' : undefined;
  const [head = '', body = ''] = splitOnce(response, '\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
  // On a busy machine a request may have waited as long as one may (D40).
  const isOverloaded = status === 503 && ms >= 5000 && body.includes('"code":"overloaded"');
  if (status < 200 || (status >= 500 && !isOverloaded)) return `status ${status}`;
  const headers = new Map(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => {
        const [name = '', value = ''] = splitOnce(line, ': ');
        return [name.toLowerCase(), value];
      }),
  );
  const missing = REQUIRED.find(([name, form]) => !form.test(headers.get(name) ?? ''));
  if (missing !== undefined) return `${status} with ${missing[0]}: ${headers.get(missing[0])}`;
  if (status >= 400 && headers.get('content-type') !== 'application/problem+json')
    return `${status} as ${headers.get('content-type')}`;
  if (status === 429 && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? ''))
    return '429 without Retry-After';
  const problem = status >= 400 ? withoutEchoes(body) : '';
  const [word] = INTERNAL.exec(problem) ?? SQL.exec(problem) ?? [];
  return word === undefined ? undefined : `${status} with the internal word ${JSON.stringify(word)}`;
}

/** Whether the head of the request ends, so that the service can answer. */
function isComplete(request: string): boolean {
  return /\S\r?\n\r?\n/.test(request);
}

/** A problem names the parameters as the client sent them. */
function withoutEchoes(body: string): string {
  return body.replace(/"parameter":"(?:[^"\\]|\\.)*"/g, '');
}

function splitOnce(text: string, separator: string): readonly [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}
