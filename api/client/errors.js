/** @import { Problem } from './client.d.ts' */

/** The service refused the request, and says why (RFC 9457). */
export class ProblemError extends Error {
  /** @override */
  name = 'ProblemError';

  /**
   * @param {Problem} problem
   * @param {URL} url of the request
   * @param {number | undefined} retryAfterSeconds
   */
  constructor(problem, url, retryAfterSeconds) {
    super(formatMessage(problem));
    this.type = new URL(problem.type, url).href;
    this.title = problem.title;
    this.status = problem.status;
    this.detail = problem.detail;
    this.code = problem.code;
    this.requestId = problem.requestId;
    /** @type {NonNullable<Problem['errors']>} */
    this.errors = problem.errors ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** No response from the service: the connection failed, or something between client and service responded. */
export class TransportError extends Error {
  /** @override */
  name = 'TransportError';

  /**
   * @param {string} message
   * @param {{ status?: number, retryAfterSeconds?: number | undefined, cause?: unknown }} [about]
   */
  constructor(message, { status, retryAfterSeconds, cause } = {}) {
    super(message, { cause });
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** @param {Problem} problem */
function formatMessage({ status, code, detail, errors = [] }) {
  const lines = errors.map(({ parameter, detail: reason }) => `${parameter}: ${reason}`);
  return [`${status} ${code}: ${detail}`, ...lines].join('\n');
}
