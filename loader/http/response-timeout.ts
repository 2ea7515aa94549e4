/** How long a response may take, in milliseconds. */
export type TimeLimits = {
  /** Idle time: from the request to the first byte, and between chunks. */
  readonly idleMs: number;
  /** From the request to the last byte. */
  readonly totalMs: number;
};

/** Aborts a request that takes too long, or when `outer` aborts. */
export class ResponseTimeout {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly idle: NodeJS.Timeout;
  private readonly total: NodeJS.Timeout;

  constructor({ idleMs, totalMs }: TimeLimits, outer: AbortSignal) {
    this.idle = setTimeout(() => this.controller.abort(`no data for ${idleMs / 1000} s`), idleMs);
    this.total = setTimeout(() => this.controller.abort(`not complete after ${totalMs / 1000} s`), totalMs);
    this.signal = AbortSignal.any([outer, this.controller.signal]);
  }

  /** Which limit was exceeded, if any. */
  get reason(): string | undefined {
    return this.controller.signal.aborted ? String(this.controller.signal.reason) : undefined;
  }

  /** A chunk has arrived. */
  restart(): void {
    this.idle.refresh();
  }

  clear(): void {
    clearTimeout(this.idle);
    clearTimeout(this.total);
  }
}
