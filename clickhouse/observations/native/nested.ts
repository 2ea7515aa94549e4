import { type Column, INITIAL_ROWS } from './column.ts';

/** A named tuple: one column after another. */
export class TupleColumn<Elements extends Readonly<Record<string, Column>>> implements Column {
  readonly elements: Elements;

  constructor(elements: Elements) {
    this.elements = elements;
  }

  get type(): string {
    const elements = Object.entries(this.elements).map(([name, { type }]) => `${name} ${type}`);
    return `Tuple(${elements.join(', ')})`;
  }

  parts(rows: number): readonly Uint8Array[] {
    return Object.values(this.elements).flatMap((column) => column.parts(rows));
  }

  clear(): void {
    for (const column of Object.values(this.elements)) column.clear();
  }
}

/** Lists: the end offset of each row among all items, then the items. */
export class ArrayColumn<Item extends Column> implements Column {
  readonly items: Item;
  /** UInt64 as two halves; the upper half stays 0. */
  private ends = new Uint32Array(2 * INITIAL_ROWS);
  private count = 0;

  constructor(items: Item) {
    this.items = items;
  }

  get type(): string {
    return `Array(${this.items.type})`;
  }

  /** Adds an item and returns its row among the items. `end` must follow once for each row, with or without items. */
  next(): number {
    this.count += 1;
    return this.count - 1;
  }

  end(row: number): void {
    if (2 * row >= this.ends.length) {
      const { ends } = this;
      this.ends = new Uint32Array(2 * ends.length);
      this.ends.set(ends);
    }
    this.ends[2 * row] = this.count;
  }

  parts(rows: number): readonly Uint8Array[] {
    return [new Uint8Array(this.ends.buffer, 0, rows * 8), ...this.items.parts(this.count)];
  }

  clear(): void {
    this.items.clear();
    this.count = 0;
  }
}
