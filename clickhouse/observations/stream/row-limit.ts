/**
 * Counts the rows of a stream, and throws where they would be more than `limit`: its windows are read one after another,
 * and a loader can insert into one that was counted and is not read yet (D33).
 */
export class RowLimit {
  readonly #limit: number;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get count(): number {
    return this.#count;
  }

  add(rows: number): void {
    this.#count += rows;
    if (this.#count > this.#limit)
      throw new Error('Records were inserted while the stream was sent: ask again');
  }
}
