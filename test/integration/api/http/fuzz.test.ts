import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import { writeCursor } from '../../../../api/contract/cursor.ts';
import { PARAMETERS } from '../../../../api/contract/parameters.ts';
import { readQuery } from '../../../../api/contract/query.ts';
import { PATHS as DESCRIBED } from '../../../../api/docs/openapi/paths.ts';
import { OBSERVATIONS as ENDPOINT } from '../../../../api/observations/endpoint.ts';
import type { Position } from '../../../../clickhouse/model/report.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { assertProblem } from '../../../support/api/problem.ts';
import { report } from '../../../support/archive/archive.ts';
import { seededRandom } from '../../../support/random.ts';
import { repetitions } from '../../../support/repetitions.ts';

const AT_ONCE = 10;
/** Below the limit of a professional key in a second. */
const REQUESTS_PER_KEY = 80;

/** @returns what went wrong, with the request, so that it can be repeated; and how many answers had each status */
async function fuzz(
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

/** Valid and invalid values close to the limit between them, and names that no endpoint has. */
const VALUES: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    Object.entries(PARAMETERS).map(([name, { valid, invalid }]) => [name, [...valid, ...invalid]]),
  ),
  ['__proto__']: ['x'],
  constructor: ['x'],
  'x[y]': ['1'],
};

type Described = { readonly get: { readonly parameters?: readonly { readonly name: string }[] } };

/** The parameters that most requests of the described paths have; all requests of other paths can have any. */
const PARAMETERS_OF: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.keys(DESCRIBED)
    .filter((path) => /^\/v1\/history\/\w+$/.test(path))
    .map((path) => [path, ((DESCRIBED[path] as Described).get.parameters ?? []).map(({ name }) => name)]),
);

/** Without these, or with wrong ones, a request gets no further than the check of its parameters. */
const USUAL = ['stations', 'from', 'to', 'select'];

const PATHS: readonly string[] = [
  ...Object.keys(PARAMETERS_OF).flatMap((path) => Array<string>(4).fill(path)),
  '/v1/history/observations/',
  '/V1/history/observations',
  '/v1/history/observations.csv',
  '/v1/history/stations.geojson',
  '/v1//history/observations',
  '/v1/../v1/history/observations',
  '/v1/history/%6Fbservations',
  '/v1/history/observations%00',
  '/%',
  '/%zz',
  '/..%2f..%2fetc/passwd',
  '//a.b/c',
  '/',
  '*',
  'http://a/healthz',
  'http://',
  '/healthz',
  '/readyz',
  '/metrics',
  '/__proto__',
];

const METHODS: readonly string[] = [
  ...Array<string>(12).fill('GET'),
  ...'HEAD OPTIONS POST PUT DELETE TRACE PATCH BREW get CONNECT M-SEARCH'.split(' '),
];

const HEADERS: readonly string[] = [
  'Accept: application/json',
  'Accept: text/html;q=0',
  'Accept: ;;;,,,',
  'Accept: */*;q=0.0001',
  'Accept-Encoding: br',
  'Accept-Encoding: gzip;q=2, identity;q=0',
  'Accept-Encoding: *;q=0',
  'If-None-Match: *',
  'If-None-Match: W/"',
  'X-Request-Id: a b',
  'X-Request-Id: {"a":1}',
  `X-Request-Id: ${'a'.repeat(65)}`,
  'X-Forwarded-For: 1.2.3.4, ::1, %',
  'Authorization: Bearer',
  'Authorization: Basic YTpi',
  `Authorization: Bearer hist_${'A'.repeat(48)}`,
  'Authorization: Bearer \xff\xfe',
  'Range: bytes=0-1',
  'Expect: 100-continue',
  'Upgrade: websocket',
  'Connection: upgrade',
  'Content-Length: 5',
  'Content-Length: -1',
  'Transfer-Encoding: chunked',
  'Transfer-Encoding: identity',
  'Host: b',
  'Cookie: a=b; __proto__=c',
  'Origin: null',
  'Access-Control-Request-Method: DELETE',
  `X-Long: ${'a'.repeat(9000)}`,
  ': no name',
  ' folded: value',
  'A\0B: c',
];

type Random = () => number;

/** The bytes of one request: usually close to a good one, sometimes damaged. */
function fuzzRequest(random: Random, key: string): string {
  const path = pick(random, PATHS);
  const lines = [
    `${pick(random, METHODS)} ${path}${fuzzQuery(random, path)} HTTP/1.1`,
    ...(random() < 0.97 ? ['Host: a'] : []),
    ...(random() < 0.8 ? [`Authorization: Bearer ${key}`] : []),
    'Connection: close',
    ...some(random, HEADERS, 3),
  ];
  const request = `${lines.join('\r\n')}\r\n\r\n`;
  return random() < 0.25 ? damage(random, request) : request;
}

function fuzzQuery(random: Random, path: string): string {
  if (random() < 0.1) return '';
  const names = random() < 0.9 ? PARAMETERS_OF[path] : undefined;
  const pairs = Object.entries(VALUES)
    .filter(([name]) => names === undefined || names.includes(name))
    .filter(([name]) => random() < (USUAL.includes(name) ? 0.95 : 0.2))
    .map(([name, values]) => {
      const value = random() < 0.9 ? pick(random, values) : randomText(random);
      return `${name}=${random() < 0.5 ? encodeURIComponent(value) : value.replace(/[\s#]/g, '+')}`;
    });
  return `?${pairs.join(pick(random, ['&', '&', '&', '&', ';', '&&']))}`;
}

/** Changes, removes, repeats or cuts off some bytes. */
function damage(random: Random, text: string): string {
  const at = Math.floor(random() * text.length);
  const end = at + Math.floor(random() * 40);
  const [before, middle, after] = [text.slice(0, at), text.slice(at, end), text.slice(end)];
  const forms = [
    before + randomText(random) + after,
    before + after,
    before + middle.repeat(3) + after,
    before,
    before + String.fromCharCode(Math.floor(random() * 256)) + text.slice(at + 1),
    text.replaceAll('\r\n', '\n'),
  ];
  return pick(random, forms);
}

function randomText(random: Random): string {
  return Array.from({ length: Math.floor(random() * 20) }, () =>
    String.fromCharCode(Math.floor(random() * 256)),
  ).join('');
}

function some<T>(random: Random, values: readonly T[], most: number): readonly T[] {
  return Array.from({ length: Math.floor(random() * (most + 1)) }, () => pick(random, values));
}

function pick<T>(random: Random, values: readonly T[]): T {
  const value = values[Math.floor(random() * values.length)];
  if (value === undefined) throw new Error('There is nothing to choose from');
  return value;
}

const SEEDS = repetitions({ usual: 4, long: 100 });
const REQUESTS_PER_SEED = 100;

describe('random requests', () => {
  const api = useApi(() => startApiWithReports([report({ at: '2024-01-10T00:00:00Z' })]));

  it(`get an answer below 500 with the common headers and no internal word (seeds 1 to ${SEEDS})`, async () => {
    const statuses = new Set<string>();
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const result = await fuzz(api.url, () => api.createKey(), seed, REQUESTS_PER_SEED);
      assert.deepEqual(result.faults, []);
      for (const status of result.statuses.keys()) statuses.add(status);
    }
    // The requests reach every stage of the service.
    for (const status of ['200', '400', '401', '404', '405']) assert.ok(statuses.has(status), status);
  }).timeout(600_000);

  it('get a page or a problem with status 400 for a cursor with any position and a valid checksum', async () => {
    const query = 'stations=XAAA,AAAA&from=0000-01-01T00:00:00Z&to=9999-01-01T00:00:00Z';
    const parsed = readQuery(ENDPOINT, query);
    const position: fc.Arbitrary<Position> = fc.record({
      observedAt: fc.integer({ min: 0, max: 0xffffffff }),
      station: fc.constantFrom('AAAA', 'XAAA', 'Z999'),
      type: fc.constantFrom('METAR', 'SPECI'),
      fingerprint: fc.constantFrom('00000000', 'ffffffff', '80000000'),
    });
    const key = await api.createKey();
    await fc.assert(
      fc.asyncProperty(position, async (at) => {
        const response = await api.get(`${OBSERVATIONS}?${query}&cursor=${writeCursor(at, parsed)}`, {
          key,
        });
        if (response.status !== 200) await assertProblem(response, 400, 'invalid_cursor');
      }),
      { numRuns: 60 },
    );
  });
});
