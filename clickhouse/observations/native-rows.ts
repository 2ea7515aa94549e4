import type { AttachedFile } from '../archive.ts';
import { type ColumnWriter, encodeBlock, NumberWriter, StringWriter } from './native-columns.ts';

/** Collects rows of stations into a block in the Native format: a file of a statement, or rows to insert. */
export class NativeRows {
  readonly #columns: Readonly<Record<string, ColumnWriter>>;
  #count = 0;

  /** @param types of the columns: that of the station, a text or a number, and those of numbers */
  constructor(types: readonly (readonly [name: string, type: string])[]) {
    this.#columns = Object.fromEntries(
      types.map(([name, type]) => [name, type === 'String' ? new StringWriter() : new NumberWriter(type)]),
    );
  }

  get count(): number {
    return this.#count;
  }

  get names(): readonly string[] {
    return Object.keys(this.#columns);
  }

  /** The columns with their types, as a structure of ClickHouse. */
  get structure(): string {
    const columns = Object.entries(this.#columns);
    return columns.map(([name, { type }]) => `${name} ${type}`).join(', ');
  }

  /**
   * Adds the rows `[begin, end)` of a station.
   *
   * @param columns all others by their names; NaN where a value is absent. -0 is below 0 and above -0.1 (D62).
   */
  put(
    station: string | number | undefined,
    columns: Readonly<Record<string, ArrayLike<number | undefined>>>,
    begin: number,
    end: number,
  ): void {
    const [first] = this.names;
    for (const [name, column] of Object.entries(this.#columns)) {
      for (let row = begin; row < end; row += 1) {
        const value = name === first ? station : columns[name]?.[row];
        if (!Number.isNaN(value)) column.put(this.#count + row - begin, Object.is(value, -0) ? -0.05 : value);
      }
    }
    this.#count += end - begin;
  }

  take(): Buffer {
    const bytes = encodeBlock(this.#columns, this.#count);
    this.#count = 0;
    return bytes;
  }

  /** The block as a file of a statement. */
  takeFile(name: string): AttachedFile {
    return { name, format: 'Native', structure: this.structure, bytes: this.take() };
  }
}
