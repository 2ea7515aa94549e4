/** Every refusal a client can meet (D24). The table is closed: a code never changes its meaning. */
export const PROBLEMS = {
  invalid_parameter: [400, 'Invalid parameter'],
  invalid_cursor: [400, 'Invalid cursor'],
  cursor_mismatch: [400, 'Cursor of another query'],
  missing_credentials: [401, 'Missing credentials'],
  invalid_credentials: [401, 'Invalid credentials'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  not_acceptable: [406, 'Not acceptable'],
  rate_limited: [429, 'Rate limit exceeded'],
  storage_unavailable: [503, 'Storage unavailable'],
  key_store_unavailable: [503, 'Key store unavailable'],
  overloaded: [503, 'Overloaded'],
  query_timeout: [504, 'Query timeout'],
  internal: [500, 'Internal error'],
} as const satisfies Readonly<Record<string, readonly [status: number, title: string]>>;

export type ProblemCode = keyof typeof PROBLEMS;

export type ParameterError = { readonly parameter: string; readonly detail: string };

type Particulars = {
  readonly errors?: readonly ParameterError[];
  readonly headers?: Readonly<Record<string, string>>;
  /** What went wrong behind the refusal: logged, never sent. */
  readonly cause?: unknown;
};

/** A refusal on its way to the client. Whatever else is thrown is answered as `internal`. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: readonly ParameterError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ProblemCode, detail: string, { errors, headers = {}, cause }: Particulars = {}) {
    super(detail, { cause });
    this.name = 'Problem';
    this.code = code;
    this.status = PROBLEMS[code][0];
    this.errors = errors;
    this.headers = headers;
  }
}

/** What the client learns of anything that was thrown: all of a `Problem`, and nothing of a defect. */
export function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown;
  return new Problem('internal', 'Something failed on our side. Name the requestId when you report it.', {
    cause: thrown,
  });
}

/** The body in the form of RFC 9457. */
export function problemBody({ code, status, message, errors }: Problem, requestId: string): string {
  const title = PROBLEMS[code][1];
  const type = `urn:problem-type:history:${code}`;
  return JSON.stringify({ type, title, status, detail: message, code, requestId, errors });
}

/** `Retry-After` takes whole seconds (RFC 9110, 10.2.3); rounded up, for a client that comes early is refused again. */
export function retryAfter(milliseconds: number): Readonly<Record<string, string>> {
  return { 'Retry-After': String(Math.max(1, Math.ceil(milliseconds / 1000))) };
}
