/** A moment of a `LogicalClock`. Later moments are greater. */
export type Moment = number & { readonly [moment]: true };
declare const moment: unique symbol;

/** The moment before every read. */
export const START = 0 as Moment;

/**
 * Orders reads of the archive, so that cached results of several reads can be combined. Each cached result carries its
 * moment: a read that began at a moment is as new as every read that ended at or before it.
 */
export class LogicalClock {
  #last = START;

  /** The moment at which a read begins. */
  get now(): Moment {
    return this.#last;
  }

  /** The moment at which a read ends. */
  tick(): Moment {
    this.#last = (this.#last + 1) as Moment;
    return this.#last;
  }
}

export function latest(one: Moment, other: Moment): Moment {
  return one > other ? one : other;
}
