export type Say = (line: string) => void;

/** Prints messages: directly, or above the progress bars while there are any. */
export class ConsoleOutput {
  private readonly direct: Say;
  private current: Say;

  constructor(direct: Say) {
    this.direct = direct;
    this.current = direct;
  }

  readonly say: Say = (line) => this.current(line);

  /** Until the work ends, messages are printed by `say`, that of its display. */
  async during<T>(say: Say, work: Promise<T>): Promise<T> {
    this.current = say;
    try {
      return await work;
    } finally {
      this.current = this.direct;
    }
  }
}
