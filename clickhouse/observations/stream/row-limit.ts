/**
 * Counts the rows of a stream, and throws where they would be more than `limit`: its windows are read one after another,
 * and a loader can insert into one that was counted and is not read yet (D33).
 */
export class RowLimit {
  #left: number;

  constructor(limit: number) {
    this.#left = limit;
  }

  add(rows: number): void {
    this.#left -= rows;
    if (this.#left < 0) throw new Error('Records were inserted while the stream was sent: ask again');
  }
}
