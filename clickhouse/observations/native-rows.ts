import type { AttachedFile } from '../archive.ts';
import { encodeBlock, NumberWriter, StringWriter } from './native-columns.ts';

type NativeValue = string | number | undefined;

/** Collects rows of texts and numbers into a block in the Native format: a file of a statement, or rows to insert. */
export class NativeRows {
  readonly #columns: ReadonlyMap<string, StringWriter | NumberWriter>;
  #count = 0;

  /** @param types of the columns, by their names */
  constructor(types: ReadonlyMap<string, string>) {
    const columns = [...types].map(
      ([name, type]) => [name, type === 'String' ? new StringWriter() : new NumberWriter(type)] as const,
    );
    this.#columns = new Map(columns);
  }

  get count(): number {
    return this.#count;
  }

  /** The columns with their types, as a structure of ClickHouse. */
  get structure(): string {
    return [...this.#columns].map(([name, { type }]) => `${name} ${type}`).join(', ');
  }

  /** @param values in the order of the columns; NaN or undefined where one is absent. -0 is below 0 and above -0.1 (D62). */
  put(values: readonly NativeValue[]): void {
    this.putColumns(
      1,
      values.map((value) => [value]),
    );
  }

  /** The same for several rows, column by column. */
  putColumns(rows: number, columns: readonly ArrayLike<NativeValue>[]): void {
    let n = 0;
    for (const column of this.#columns.values()) {
      const values = columns[n++] as ArrayLike<NativeValue>;
      for (let row = 0; row < rows; row += 1) {
        const value = values[row];
        if (column instanceof StringWriter) column.put(this.#count + row, value as string);
        else if (!Number.isNaN(value))
          column.put(this.#count + row, Object.is(value, -0) ? -0.05 : (value as number | undefined));
      }
    }
    this.#count += rows;
  }

  take(): Buffer {
    const bytes = encodeBlock(Object.fromEntries(this.#columns), this.#count);
    this.#count = 0;
    return bytes;
  }

  /** The block as a file of a statement. */
  takeFile(name: string): AttachedFile {
    return { name, format: 'Native', structure: this.structure, bytes: this.take() };
  }
}
