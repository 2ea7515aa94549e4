import assert from 'node:assert/strict';

type ProblemBody = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  readonly requestId: string;
  readonly errors?: readonly { readonly parameter: string; readonly detail: string }[];
};

const EXPOSED = [
  ...['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'RateLimit', 'RateLimit-Policy', 'Retry-After'],
  ...['X-Request-Id', 'ETag', 'Link'],
];

/** The headers of every response of any status (specification 4.1 rule 5, D29, D31). */
export function assertCommonHeaders({ headers }: Response): void {
  assert.match(headers.get('x-ratelimit-limit') ?? '', /^(1|10|100)$/);
  assert.match(headers.get('x-ratelimit-remaining') ?? '', /^\d+$/);
  assert.match(headers.get('x-request-id') ?? '', /^[A-Za-z0-9._-]{1,64}$/);
  assert.equal(headers.get('access-control-allow-origin'), '*');
  const exposed = headers.get('access-control-expose-headers')?.split(', ') ?? [];
  for (const name of EXPOSED) assert.ok(exposed.includes(name), name);
  assert.match(headers.get('vary') ?? '', /Accept-Encoding/);
}

/** A problem response in the one format of all problems (D24). */
export async function assertProblem(response: Response, status: number, code: string): Promise<ProblemBody> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  assertCommonHeaders(response);
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  const body = JSON.parse(text) as ProblemBody;
  const { title, detail, requestId, errors = [] } = body;
  const allowed = ['type', 'title', 'status', 'detail', 'code', 'requestId', 'errors'];
  for (const name of Object.keys(body)) assert.ok(allowed.includes(name), name);
  assert.deepEqual([body.type, body.status, body.code], [`/docs/errors/${code}`, status, code]);
  assert.ok(title !== '' && detail !== '');
  assert.equal(requestId, response.headers.get('x-request-id'));
  for (const error of errors) assert.deepEqual(Object.keys(error).sort(), ['detail', 'parameter']);
  return body;
}
