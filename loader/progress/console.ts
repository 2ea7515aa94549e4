export type Log = (line: string) => void;

/** Prints messages: directly, or above the progress bars while there are any. */
export class ConsoleOutput {
  private readonly direct: Log;
  private current: Log;

  constructor(direct: Log) {
    this.direct = direct;
    this.current = direct;
  }

  readonly log: Log = (line) => this.current(line);

  /** Until the work ends, messages are printed by `log`, that of its display. */
  async track<T>(log: Log, work: Promise<T>): Promise<T> {
    this.current = log;
    try {
      return await work;
    } finally {
      this.current = this.direct;
    }
  }
}
