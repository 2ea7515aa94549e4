import { PARAMETERS } from '../../../api/contract/parameters.ts';
import { PATHS as DESCRIBED } from '../../../api/docs/openapi/paths.ts';

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
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'DELETE',
  'TRACE',
  'PATCH',
  'BREW',
  'get',
  'CONNECT',
  'M-SEARCH',
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
export function fuzzRequest(random: Random, key: string): string {
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
