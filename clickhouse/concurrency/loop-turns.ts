/** A connection is accepted in one turn, its request read in the next, and its response sent in a third. */
const FREE_TURNS = 3;

/**
 * Keeps pieces of long work apart: between two of them are turns of the event loop in which requests are answered that
 * have come meanwhile. Work that waits runs in the order in which it came.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves at once where no other work has run in the last turns, else in a later one. */
  async take(): Promise<void> {
    if (this.#isTaken) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    this.#passOn(FREE_TURNS);
  }

  #passOn(freeTurns: number): void {
    setImmediate(() => {
      if (freeTurns > 1) return this.#passOn(freeTurns - 1);
      const next = this.#waiting.shift();
      this.#isTaken = next !== undefined;
      if (next === undefined) return;
      next();
      this.#passOn(FREE_TURNS);
    });
  }
}
