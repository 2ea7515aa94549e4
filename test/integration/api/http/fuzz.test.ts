import assert from 'node:assert/strict';
import { connect } from 'node:net';
import fc from 'fast-check';
import { PATHS as DESCRIBED } from '../../../../api/docs/openapi/paths.ts';
import { OBSERVATIONS, startApiWithReports, useApi } from '../../../support/api/api.ts';
import { PARAMETER_TEXTS } from '../../../support/api/parameter-texts.ts';
import { report } from '../../../support/archive/archive.ts';
import { repetitions } from '../../../support/repetitions.ts';

const AT_ONCE = 10;
/** A request without an answer for this long hangs. */
const HANG_MS = 60_000;
const KEPT_OPEN_MS = 500;

/** What only the service itself may know: its code, its store, its paths. */
const INTERNAL =
  /clickhouse|db::exception|\n\s+at |node_modules|node:internal|\.ts:\d|\/(tmp|root|home|usr|work)\/|econn|ioredis|redis|syntaxerror|typeerror|undefined|\[object/i;

/** Statements are in capitals; parameters are called `select` and `from` too. */
const SQL = /\bSELECT\b.*\bFROM\b/s;

const REQUIRED: readonly RegExp[] = [
  /^x-ratelimit-limit: (1|10|100)$/im,
  /^x-ratelimit-remaining: \d+$/im,
  /^x-request-id: [A-Za-z0-9._-]{1,64}$/im,
  /^access-control-allow-origin: \*$/im,
  /^cache-control: ./im,
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
  const end = response.indexOf('\r\n\r\n');
  const [head, body] = [response.slice(0, end).replaceAll('\r', ''), response.slice(end + 4)];
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1] ?? 0);
  // On a busy machine a request may have waited as long as one may (D40).
  const isOverloaded = status === 503 && ms >= 5000 && body.includes('"code":"overloaded"');
  if (status < 200 || (status >= 500 && !isOverloaded)) return `status ${status}`;
  const missing = REQUIRED.find((line) => !line.test(head));
  if (missing !== undefined) return `${status} without ${missing}`;
  if (status >= 400 && !/^content-type: application\/problem\+json$/im.test(head))
    return `${status} as ${head}`;
  if (status === 429 && !/^retry-after: [1-9]\d*$/im.test(head)) return '429 without Retry-After';
  // A problem names the parameters as the client sent them.
  const problem = status >= 400 ? body.replace(/"parameter":"(?:[^"\\]|\\.)*"/g, '') : '';
  const [word] = INTERNAL.exec(problem) ?? SQL.exec(problem) ?? [];
  return word === undefined ? undefined : `${status} with the internal word ${JSON.stringify(word)}`;
}

/** Whether the head of the request ends, so that the service can answer. */
function isComplete(request: string): boolean {
  return /\S\r?\n\r?\n/.test(request);
}

/** Texts of each parameter, and names that no endpoint has. */
const VALUES: readonly (readonly [name: string, values: readonly string[]])[] = [
  ...Object.entries(PARAMETER_TEXTS).map(([name, texts]) => [name, texts.split('|')] as const),
  ...['__proto__', 'constructor', 'x[y]'].map((name) => [name, ['x']] as const),
];

type Described = { readonly get: { readonly parameters?: readonly { readonly name: string }[] } };

/** The parameters that most requests of the described paths have; all requests of other paths can have any. */
const PARAMETERS_OF: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.keys(DESCRIBED)
    .filter((path) => /^\/v1\/history\/\w+$/.test(path))
    .map((path) => [path, ((DESCRIBED[path] as Described).get.parameters ?? []).map(({ name }) => name)]),
);

/** Without these, or with wrong ones, a request gets no further than the check of its parameters. */
const USUAL = ['stations', 'from', 'to', 'select'];

const OTHER_PATHS =
  `${OBSERVATIONS}/ /V1/history/observations ${OBSERVATIONS}.csv /v1/history/stations.geojson /v1//history/observations /v1/../v1/history/observations /v1/history/%6Fbservations ${OBSERVATIONS}%00 /% /%zz /..%2f..%2fetc/passwd //a.b/c / * http://a/healthz http:// /healthz /readyz /metrics /__proto__`.split(
    ' ',
  );
const OTHER_METHODS = 'HEAD OPTIONS POST PUT DELETE TRACE PATCH BREW get CONNECT M-SEARCH'.split(' ');
const HEADERS = `Accept: application/json|Accept: text/html;q=0|Accept: ;;;,,,|Accept: */*;q=0.0001
Accept-Encoding: br|Accept-Encoding: gzip;q=2, identity;q=0|Accept-Encoding: *;q=0|If-None-Match: *|If-None-Match: W/"
X-Request-Id: a b|X-Request-Id: {"a":1}|X-Request-Id: ${'a'.repeat(65)}|X-Forwarded-For: 1.2.3.4, ::1, %
Authorization: Bearer|Authorization: Basic YTpi|Authorization: Bearer hist_${'A'.repeat(48)}|Authorization: Bearer \xff\xfe
Range: bytes=0-1|Expect: 100-continue|Upgrade: websocket|Connection: upgrade|Content-Length: 5|Content-Length: -1
Transfer-Encoding: chunked|Transfer-Encoding: identity|Host: b|Cookie: a=b; __proto__=c|Origin: null
Access-Control-Request-Method: DELETE|X-Long: ${'a'.repeat(9000)}|: no name| folded: value|A\0B: c`.split(
  /[\n|]/,
);

/** One value in so many comes from the first arbitrary, all others from the second. */
const mostly = <T>(weight: number, usual: fc.Arbitrary<T>, other: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: usual }, { weight: 1, arbitrary: other });
const isUsually = (weight: number) => mostly(weight, fc.constant(true), fc.constant(false));
const BYTES = fc
  .array(fc.integer({ min: 0, max: 255 }), { maxLength: 20 })
  .map((codes) => String.fromCharCode(...codes));

function queryOf(path: string): fc.Arbitrary<string> {
  const parameters = (names: readonly string[] | undefined) =>
    VALUES.filter(([name]) => names === undefined || names.includes(name)).map(([name, values]) => {
      const value = mostly(9, fc.constantFrom(...values), BYTES);
      const pair = fc
        .tuple(value, fc.boolean())
        .map(
          ([text, isEncoded]) =>
            `${name}=${isEncoded ? encodeURIComponent(text) : text.replace(/[\s#]/g, '+')}`,
        );
      return USUAL.includes(name) ? mostly(19, pair, fc.constant('')) : mostly(4, fc.constant(''), pair);
    });
  const separator = fc.constantFrom('&', '&', '&', '&', ';', '&&');
  const pairs = mostly(9, fc.tuple(...parameters(PARAMETERS_OF[path])), fc.tuple(...parameters(undefined)));
  const query = fc.tuple(pairs, separator).map(([some, between]) => `?${some.filter(Boolean).join(between)}`);
  return mostly(9, query, fc.constant(''));
}

/** Changes, removes, repeats or cuts off some bytes. */
const damaged = (text: string): fc.Arbitrary<string> =>
  fc.tuple(fc.nat(text.length - 1), fc.nat(40), BYTES).chain(([at, length, bytes]) => {
    const [before, middle, after] = [text.slice(0, at), text.slice(at, at + length), text.slice(at + length)];
    const repeated = before + middle.repeat(3) + after;
    return fc.constantFrom(
      before + bytes + after,
      before + after,
      repeated,
      before,
      text.replaceAll('\r\n', '\n'),
    );
  });

/** The bytes of a request: usually close to a good one, sometimes damaged. `KEY` stands for a key. */
const REQUEST = fc
  .constantFrom(...Object.keys(PARAMETERS_OF).flatMap((path) => Array<string>(4).fill(path)), ...OTHER_PATHS)
  .chain((path) =>
    fc.tuple(
      mostly(2, fc.constant('GET'), fc.constantFrom(...OTHER_METHODS)),
      fc.constant(path),
      queryOf(path),
      isUsually(30),
      isUsually(4),
      fc.subarray(HEADERS, { maxLength: 3 }),
    ),
  )
  .map(([method, path, query, hasHost, hasKey, headers]) => {
    const own = [...(hasHost ? ['Host: a'] : []), ...(hasKey ? ['Authorization: Bearer KEY'] : [])];
    return `${[`${method} ${path}${query} HTTP/1.1`, ...own, 'Connection: close', ...headers].join('\r\n')}\r\n\r\n`;
  })
  .chain((request) => mostly(3, fc.constant(request), damaged(request)));

const BATCHES = repetitions({ usual: 40, long: 1000 });

describe('random requests', () => {
  const api = useApi(() => startApiWithReports([report({ at: '2024-01-10T00:00:00Z' })]));

  it(`get an answer below 500 with the common headers and no internal word (${BATCHES * AT_ONCE})`, async () => {
    const statuses = new Set<string>();
    const batches = fc.asyncProperty(
      fc.array(REQUEST, { minLength: AT_ONCE, maxLength: AT_ONCE }),
      async (batch) => {
        const key = await api.createKey();
        const sentAt = performance.now();
        await Promise.all(
          batch.map(async (template) => {
            const request = template.replace('KEY', key);
            const response = await sendRaw(api.url, request);
            assert.equal(responseFault(request, response, performance.now() - sentAt), undefined, template);
            statuses.add(response.slice(9, 12));
          }),
        );
      },
    );
    await fc.assert(batches, { numRuns: BATCHES });
    // The requests reach every stage of the service.
    for (const status of ['200', '400', '401', '404', '405']) assert.ok(statuses.has(status), status);
  }).timeout(600_000);
});
