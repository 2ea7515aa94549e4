export type Say = (line: string) => void;

/** Tells a person something: straight on the terminal, or through whatever is drawn on it at the time. */
export class ConsoleOutput {
  private readonly outright: Say;
  private through: Say;

  constructor(outright: Say) {
    this.outright = outright;
    this.through = outright;
  }

  readonly say: Say = (line) => this.through(line);

  /** While the work lasts, everything is said through its display. */
  async during<T>(say: Say, work: Promise<T>): Promise<T> {
    this.through = say;
    try {
      return await work;
    } finally {
      this.through = this.outright;
    }
  }
}
