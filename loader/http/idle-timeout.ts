/** Aborts a request on which no byte arrives for a time, or when `outer` aborts. */
export class IdleTimeout {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly timer: NodeJS.Timeout;

  constructor(milliseconds: number, outer: AbortSignal) {
    this.timer = setTimeout(() => this.controller.abort(), milliseconds);
    this.signal = AbortSignal.any([outer, this.controller.signal]);
  }

  get isExpired(): boolean {
    return this.controller.signal.aborted;
  }

  restart(): void {
    this.timer.refresh();
  }

  clear(): void {
    clearTimeout(this.timer);
  }
}
