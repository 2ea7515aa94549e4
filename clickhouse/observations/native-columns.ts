import type { AttachedFile } from '../archive.ts';
import { numbersIn } from '../native-blocks.ts';

/**
 * A column of a block in the Native format, as the server holds it itself, so that it parses nothing.
 *
 * Each value has a row, and rows come in ascending order. A row without a value is NULL where the column is Nullable.
 */
export interface ColumnWriter {
  /** The name of the type in the header of the block. */
  readonly type: string;
  /** Whether no row has a value. */
  readonly isEmpty: boolean;
  put(row: number, value: unknown): void;
  /** The bytes of the first `rows` rows: copies, or views, valid until the column is cleared. */
  parts(rows: number): readonly Uint8Array[];
  /** Empties the column for the next block. */
  clear(): void;
}

const INITIAL_ROWS = 2048;

/** Numbers of one type. A row without a value is NULL where the type is Nullable, and 0 where it is not. */
export class NumberWriter<Value = number> implements ColumnWriter {
  readonly type: string;
  private absent = new Uint8Array(INITIAL_ROWS).fill(1);
  /** Of all types: code that stores into arrays of several kinds takes three times as long. */
  private values = new Float64Array(INITIAL_ROWS);
  private readonly stored: ReturnType<typeof numbersIn>;
  private readonly encode: ((value: Value) => number) | undefined;

  /** @param encode the stored number of a value, if the value is not that number */
  constructor(type: string, encode?: (value: Value) => number) {
    this.type = type;
    this.stored = numbersIn(type);
    this.encode = encode;
  }

  put(row: number, value: Value | undefined): void {
    if (value === undefined) return;
    while (row >= this.absent.length) this.grow();
    this.absent[row] = 0;
    this.values[row] = this.encode === undefined ? (value as number) : this.encode(value);
  }

  get isEmpty(): boolean {
    return !this.absent.includes(0);
  }

  parts(rows: number): readonly Uint8Array[] {
    while (rows > this.absent.length) this.grow();
    const { Numbers, isNullable } = this.stored;
    const values = new Uint8Array(new Numbers(this.values.subarray(0, rows)).buffer);
    return isNullable ? [this.absent.subarray(0, rows), values] : [values];
  }

  clear(): void {
    this.absent.fill(1);
    this.values.fill(0);
  }

  private grow(): void {
    const { absent, values } = this;
    this.absent = new Uint8Array(2 * absent.length).fill(1);
    this.absent.set(absent);
    this.values = new Float64Array(2 * values.length);
    this.values.set(values);
  }
}

/** Up to this length a text is written character by character. */
const SHORT_TEXT = 8;

/** Texts in UTF-8, each after its length as a varint. A row without a value is NULL or, where the type is not, the empty text. */
export class StringWriter implements ColumnWriter {
  readonly type: 'String' | 'Nullable(String)';
  private readonly presence: NumberWriter | undefined;
  private bytes = Buffer.alloc(INITIAL_ROWS);
  private at = 0;
  private row = 0;

  constructor(type: StringWriter['type'] = 'String') {
    this.type = type;
    if (type !== 'String') this.presence = new NumberWriter('Nullable(UInt8)');
  }

  put(row: number, text: string): void {
    this.presence?.put(row, 0);
    // A UTF-16 code unit takes at most three bytes of UTF-8. An empty text is one byte, its length 0.
    const most = this.at + (row - this.row) + 5 + 3 * text.length;
    if (most > this.bytes.length) this.grow(most);
    this.at += row - this.row;
    this.row = row + 1;
    if (text.length <= SHORT_TEXT && this.putAscii(text)) return;
    // Nearly all texts have a length of one byte; a longer text is written a second time, after its longer length.
    const length = this.bytes.write(text, this.at + 1);
    if (length >= 0x80) {
      this.at = writeVarint(this.bytes, this.at, length);
      this.bytes.write(text, this.at);
    } else this.bytes[this.at++] = length;
    this.at += length;
  }

  /** Faster than `Buffer.write` for a short text. False where it is not ASCII, which the caller writes. */
  private putAscii(text: string): boolean {
    const { bytes, at } = this;
    for (let n = 0; n < text.length; n += 1) {
      const code = text.charCodeAt(n);
      if (code >= 0x80) return false;
      bytes[at + 1 + n] = code;
    }
    bytes[at] = text.length;
    this.at = at + 1 + text.length;
    return true;
  }

  get isEmpty(): boolean {
    return this.row === 0;
  }

  parts(rows: number): readonly Uint8Array[] {
    const end = this.at + (rows - this.row);
    if (end > this.bytes.length) this.grow(end);
    const [absent] = this.presence?.parts(rows) ?? [];
    return [...(absent ? [absent] : []), this.bytes.subarray(0, end)];
  }

  clear(): void {
    this.presence?.clear();
    this.bytes.fill(0, 0, this.at);
    this.at = 0;
    this.row = 0;
  }

  private grow(size: number): void {
    const larger = Buffer.alloc(2 * size);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

/** Lists of named tuples: the end offset of each row among all items, then a column for each value of the items. */
export class ListWriter implements ColumnWriter {
  readonly type: string;
  private readonly values: readonly (readonly [name: string, column: ColumnWriter])[];
  /** UInt64 as two halves; the upper half stays 0. */
  private ends = new Uint32Array(2 * INITIAL_ROWS);
  private row = 0;
  private count = 0;

  constructor(columns: Readonly<Record<string, ColumnWriter>>) {
    this.values = Object.entries(columns);
    this.type = `Array(Tuple(${this.values.map(([name, { type }]) => `${name} ${type}`).join(', ')}))`;
  }

  put(row: number, items: readonly Readonly<Record<string, unknown>>[]): void {
    if (items.length === 0) return;
    this.endRows(row);
    for (const item of items) {
      for (const [name, column] of this.values) column.put(this.count, item[name]);
      this.count += 1;
    }
    this.endRows(row + 1);
  }

  private endRows(end: number): void {
    if (2 * end > this.ends.length) {
      const { ends } = this;
      this.ends = new Uint32Array(4 * end);
      this.ends.set(ends);
    }
    for (; this.row < end; this.row += 1) this.ends[2 * this.row] = this.count;
  }

  get isEmpty(): boolean {
    return this.count === 0;
  }

  parts(rows: number): readonly Uint8Array[] {
    this.endRows(rows);
    const values = this.values.flatMap(([, column]) => column.parts(this.count));
    return [new Uint8Array(this.ends.buffer, 0, rows * 8), ...values];
  }

  clear(): void {
    for (const [, column] of this.values) column.clear();
    this.row = 0;
    this.count = 0;
  }
}

/**
 * A block: the numbers of columns and rows, then the name, type and values of each column. Empties the columns. One without a
 * value is left out: the server fills it with NULL, or the default of its type, and most fields of most blocks are such.
 */
export function encodeBlock(columns: Readonly<Record<string, ColumnWriter>>, rows: number): Buffer {
  const named = Object.entries(columns).filter(([, { isEmpty }]) => !isEmpty);
  const block = Buffer.concat([
    varint(named.length),
    varint(rows),
    ...named.flatMap(([name, column]) => [...text(name), ...text(column.type), ...column.parts(rows)]),
  ]);
  for (const [, column] of named) column.clear();
  return block;
}

function varint(length: number): Uint8Array {
  const bytes = new Uint8Array(5);
  return bytes.subarray(0, writeVarint(bytes, 0, length));
}

function text(characters: string): readonly Uint8Array[] {
  const bytes = Buffer.from(characters);
  return [varint(bytes.length), bytes];
}

/** Writes a number as a varint (unsigned LEB128) from `begin` on, and returns where it ends. */
function writeVarint(to: Uint8Array, begin: number, value: number): number {
  let at = begin;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) to[at++] = (rest & 0x7f) | 0x80;
  to[at++] = rest;
  return at;
}

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
