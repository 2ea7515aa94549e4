/** A connection is accepted in one turn, its request read in the next, and its response sent in a third. */
const FREE_TURNS = 3;

/**
 * Separates pieces of long work by turns of the event loop, in which requests that arrived meanwhile are answered.
 * Waiting work runs in order of arrival.
 */
export class LoopTurns {
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  /** Resolves at once if no other work ran in the last turns, otherwise in a later turn. */
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
