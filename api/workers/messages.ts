import type { AnsweredRequest } from '../ops/metrics.ts';

/** What a worker tells the primary. */
export type FromWorker =
  | { readonly kind: 'answered'; readonly answer: AnsweredRequest; readonly residentBytes: number }
  | { readonly kind: 'metricsWanted' }
  /** Every connection has had a last answer: from now on it can do without new ones. */
  | { readonly kind: 'woundDown' }
  /** Why it never listened, in one line. */
  | { readonly kind: 'failed'; readonly reason: string };

/** What the primary tells a worker. */
export type ToWorker =
  | { readonly kind: 'open' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'metrics'; readonly text: string };

/** The rate limiter's messages travel on the same channel, and have no `kind`. */
export function isWorkerMessage<T extends FromWorker | ToWorker>(message: unknown): message is T {
  return typeof message === 'object' && message !== null && 'kind' in message;
}
