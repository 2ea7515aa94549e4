import { readFileSync } from 'node:fs';
import {
  COVERAGE_STATUS,
  count,
  type JsonObject,
  type JsonValue,
  objectSchema,
  schemaRef,
  text,
} from '../../contract/answers.ts';
import { PROBLEMS, type ProblemCode, problemType } from '../../problem.ts';

/** Headers of every response, whatever its status (D29, D31). */
const COMMON_HEADERS = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'RateLimit-Policy',
  'RateLimit',
];

function header(description: string, schema: JsonObject = { type: 'string' }) {
  return { description, required: true, schema };
}
const optionalHeader = (description: string) => ({ ...header(description), required: false });

export const HEADERS: JsonObject = {
  'X-Request-Id': header('Id of the request in the log: that of the request if it sent one.'),
  'X-RateLimit-Limit': header(
    'Requests per second for the key, or for the address without a valid key.',
    count(),
  ),
  'X-RateLimit-Remaining': header('Requests left in this second.', count()),
  'RateLimit-Policy': optionalHeader(
    'The limit in the form of draft-ietf-httpapi-ratelimit-headers: `q` requests in `w` seconds.',
  ),
  RateLimit: optionalHeader('`r` requests are left for `t` seconds, in the form of the same draft.'),
  'Retry-After': header('Seconds after which the request can succeed.', { type: 'integer', minimum: 1 }),
  'WWW-Authenticate': header('How to send the API key.'),
  Allow: header('The methods of the path.'),
  ETag: header('Entity tag: a request with it in `If-None-Match` gets 304 while the answer is unchanged.'),
  'Content-Disposition': header('A name for the file (RFC 6266).'),
  Link: optionalHeader(
    '`next`: the next page; `describedby`: the coverage of the request. Each is left out where it would exceed 2 kB.',
  ),
  'X-Has-More': header('Whether more records follow.', { type: 'string', enum: ['true', 'false'] }),
  'X-Next-Cursor': optionalHeader('Present when `X-Has-More` is true; goes into `cursor`.'),
  'X-Sources': optionalHeader('The names in `meta.sources`; absent where the answer has no source.'),
  'X-Coverage-Status': header('`coverage.status` of the request.', COVERAGE_STATUS),
  'X-Coverage-Silent-Days': header('`coverage.silentDays` of the request.', count()),
  'X-Stations-In-UTC': optionalHeader(
    'Stations whose zone is unknown, as in `meta.tz`; their number where the codes would exceed 2 kB.',
  ),
};

export function headerRefs(...names: readonly string[]): JsonObject {
  return Object.fromEntries(
    [...COMMON_HEADERS, ...names].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  );
}

/** One example on each line, recorded by `test/integration/api/docs/openapi.test.ts`. */
export const EXAMPLES_FILE = new URL('./examples.ndjson', import.meta.url);

export type Example = {
  /** Path and media type (`/v1/history/coverage application/json`), or the code of a problem, which is the same on every path. */
  readonly of: string;
  readonly request: string;
  readonly body: JsonValue;
};

export function readExamples(): readonly Example[] {
  return readFileSync(EXAMPLES_FILE, 'utf8')
    .trim()
    .split('\n')
    .map((line): Example => JSON.parse(line));
}

const EXAMPLES = new Map(readExamples().map((example) => [example.of, example]));

export function withExamples(schema: JsonObject, keys: readonly string[]): JsonObject {
  const examples = keys.flatMap((key) => {
    const example = EXAMPLES.get(key);
    const name = key.startsWith('/') ? 'recorded' : key;
    return example ? [[name, { summary: example.request, value: example.body }]] : [];
  });
  return { schema, ...(examples.length > 0 && { examples: Object.fromEntries(examples) }) };
}

export const PROBLEM = {
  description: 'Every error, in the form of RFC 9457.',
  ...objectSchema({
    type: { type: 'string', format: 'uri-reference', description: 'A page about this error.' },
    title: { type: 'string' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: text('What happened, and what to write instead.'),
    code: {
      type: 'string',
      enum: Object.keys(PROBLEMS),
      description: 'For programs: a code never changes its meaning.',
    },
    requestId: text('Quote it when you report an error.'),
    'errors?': {
      type: 'array',
      items: objectSchema({ parameter: { type: 'string' }, detail: { type: 'string' } }),
      description: 'Every parameter that is wrong.',
    },
  }),
};

export function problemResponse(codes: readonly ProblemCode[], ...headers: readonly string[]): JsonObject {
  const meanings = codes.map((code) => `[\`${code}\`](${problemType(code)}) ${PROBLEMS[code][1]}`);
  return {
    description: meanings.join('; '),
    headers: headerRefs(...headers),
    content: {
      'application/problem+json': withExamples(
        { allOf: [schemaRef('Problem')], properties: { code: { enum: codes } } },
        codes,
      ),
    },
  };
}

const ofStatus = (status: number) =>
  (Object.keys(PROBLEMS) as ProblemCode[]).filter((code) => PROBLEMS[code][0] === status);

export function problemResponses(): JsonObject {
  return {
    400: problemResponse(ofStatus(400)),
    401: problemResponse(ofStatus(401), 'WWW-Authenticate'),
    406: problemResponse(ofStatus(406)),
    429: problemResponse(ofStatus(429), 'Retry-After'),
    500: problemResponse(ofStatus(500)),
    503: problemResponse(ofStatus(503), 'Retry-After'),
    504: problemResponse(ofStatus(504)),
  };
}

export const NOT_MODIFIED = {
  description: 'The client already has this answer',
  headers: headerRefs('ETag'),
};

/** One for a method that no path supports. */
export const NOT_ALLOWED = problemResponse(['method_not_allowed'], 'Allow');

/** Any other problem: `default`, since generators refuse `4XX`. */
export const OTHER_PROBLEM = {
  description: 'Another [error](/docs/errors)',
  headers: headerRefs(),
  content: { 'application/problem+json': { schema: schemaRef('Problem') } },
};
