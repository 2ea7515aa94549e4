/** All codes; a code never changes its meaning (D24). The third member is when the client may ask again, in milliseconds. */
export const PROBLEMS = {
  invalid_parameter: [400, 'Invalid parameter'],
  invalid_cursor: [400, 'Invalid cursor'],
  cursor_mismatch: [400, 'Cursor does not match the query'],
  missing_credentials: [401, 'Missing credentials'],
  invalid_credentials: [401, 'Invalid credentials'],
  forbidden: [403, 'Forbidden'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  not_acceptable: [406, 'Not acceptable'],
  rate_limited: [429, 'Rate limit exceeded'],
  storage_unavailable: [503, 'Storage unavailable', 2000],
  key_store_unavailable: [503, 'Key store unavailable', 1000],
  overloaded: [503, 'Overloaded', 1000],
  query_timeout: [504, 'Query timeout'],
  internal: [500, 'Internal error'],
} as const satisfies Readonly<Record<string, ProblemKind>>;

type ProblemKind = readonly [status: number, title: string, retryAfterMs?: number];

export type ProblemCode = keyof typeof PROBLEMS;

type InvalidParameter = { readonly parameter: string; readonly detail: string };

type ProblemOptions = {
  readonly errors?: readonly InvalidParameter[];
  readonly headers?: Readonly<Record<string, string>>;
  /** The error that caused the problem: logged, never sent. */
  readonly cause?: unknown;
};

/** An error that the client receives. Any other thrown error becomes `internal`. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly InvalidParameter[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, { errors, headers = {}, cause }: ProblemOptions = {}) {
    super(detail, { cause });
    const [status, , retryAfterMs]: ProblemKind = PROBLEMS[code];
    this.code = code;
    this.status = status;
    this.errors = errors;
    this.headers = { ...(retryAfterMs && retryAfter(retryAfterMs)), ...headers };
  }
}

/** Returns a `Problem` unchanged; for a defect, the client learns only the request id. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  const detail = 'Internal error. Quote the requestId when reporting it.';
  return new Problem('internal', detail, { cause: thrown });
}

/** The page about this error: a path, because the service does not know the host name that clients use. */
export function problemType(code: ProblemCode): string {
  return `/docs/errors/${code}`;
}

export function problemBody({ code, status, message, errors }: Problem, requestId: string): string {
  const title = PROBLEMS[code][1];
  return JSON.stringify({ type: problemType(code), title, status, detail: message, code, requestId, errors });
}

/** `Retry-After` in whole seconds (RFC 9110, 10.2.3), rounded up: an earlier request would be refused again. */
export function retryAfter(milliseconds: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))) };
}

/** A request found no place, because too many wait or because it has waited too long. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
  /** Has no stack: hundreds of these errors can be logged in a second, and with source maps a stack takes 0.2 ms of CPU time. */
  override readonly stack = `QueueFullError: ${this.message}`;
}

export function overloaded(cause: unknown, detail = 'Too many requests are under way.'): Problem {
  return new Problem('overloaded', detail, { cause });
}

/** A query string can have thousands of unknown names; the response lists this many. */
const MAX_ERRORS = 100;

export function invalidParameters(errors: readonly { readonly name: string; readonly detail: string }[]) {
  const named = errors
    .slice(0, MAX_ERRORS)
    .map(({ name, detail }) => ({ parameter: name.slice(0, 64), detail }));
  const [first] = named;
  const detail =
    named.length === 1
      ? `${first?.parameter || 'A parameter without a name'} ${first?.detail}.`
      : `${errors.length} parameters are invalid.`;
  return new Problem('invalid_parameter', detail, { errors: named });
}

export function invalidParameter(name: string, detail: string): Problem {
  return invalidParameters([{ name, detail }]);
}
