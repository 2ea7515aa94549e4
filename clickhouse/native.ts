/**
 * Columns of a block in ClickHouse's Native format: all values of a column one after another, little-endian, as the engine
 * itself holds them, so that there is nothing left to parse.
 *
 * A value goes to a row of its own, rows in ascending order; a Nullable's row that is passed over is NULL.
 */
export interface Column {
  /** As the header of the block names it. */
  readonly type: string;
  /** The bytes of so many rows: views, good until the column is cleared. */
  parts(rows: number): readonly Uint8Array[];
  /** Makes room for another block. */
  clear(): void;
}

/** Rows there is room for at first. */
const ROOM = 2048;

/** So few characters are a word. */
const WORD = 8;

/** Values of one width; where the column is Nullable, all NULL at first, else 0. */
export class NumberColumn implements Column {
  readonly type: string;
  private readonly width: number;
  private readonly isNullable: boolean;
  private room = ROOM;
  private absent: Uint8Array;
  private values: DataView;

  /** @param width bytes of a value */
  constructor(type: string, width: 1 | 2 | 4, nullable: 'nullable' | 'given') {
    this.isNullable = nullable === 'nullable';
    this.type = this.isNullable ? `Nullable(${type})` : type;
    this.width = width;
    this.absent = new Uint8Array(this.room).fill(1);
    this.values = new DataView(new ArrayBuffer(this.room * width));
  }

  // One method a width and no two classes: the same few lines for every column are what lets them run as machine code.

  uint8(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setUint8(row, value);
  }

  uint16(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setUint16(2 * row, value, true);
  }

  uint32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setUint32(4 * row, value, true);
  }

  int32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setInt32(4 * row, value, true);
  }

  float32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setFloat32(4 * row, value, true);
  }

  parts(rows: number): readonly Uint8Array[] {
    while (rows > this.room) this.grow();
    const values = new Uint8Array(this.values.buffer, 0, rows * this.width);
    return this.isNullable ? [this.absent.subarray(0, rows), values] : [values];
  }

  clear(): void {
    this.absent.fill(1);
    new Uint8Array(this.values.buffer).fill(0);
  }

  private give(row: number): void {
    while (row >= this.room) this.grow();
    this.absent[row] = 0;
  }

  private grow(): void {
    const { absent, values } = this;
    this.room *= 2;
    this.absent = new Uint8Array(this.room).fill(1);
    this.absent.set(absent);
    this.values = new DataView(new ArrayBuffer(this.room * this.width));
    new Uint8Array(this.values.buffer).set(new Uint8Array(values.buffer));
  }
}

/** Text in UTF-8, each behind its length in LEB128. A row that is passed over is empty. */
export class StringColumn implements Column {
  readonly type = 'String';
  private bytes = Buffer.alloc(ROOM);
  private at = 0;
  private row = 0;

  put(row: number, text: string): void {
    // A character of JavaScript's takes three bytes of UTF-8 at most; an empty text is a length of zero alone.
    const most = this.at + (row - this.row) + 5 + 3 * text.length;
    if (most > this.bytes.length) this.reserve(most);
    this.at += row - this.row;
    this.row = row + 1;
    if (text.length <= WORD && this.word(text)) return;
    // Nearly all are short enough for a length of one byte: guessed, and mended where that is wrong.
    const length = this.bytes.write(text, this.at + 1);
    if (length >= 0x80) {
      this.at = writeLength(this.bytes, this.at, length);
      this.bytes.write(text, this.at);
    } else this.bytes[this.at++] = length;
    this.at += length;
  }

  /** A few characters of ASCII are sooner written one by one; others are left to be written over. */
  private word(text: string): boolean {
    const { bytes, at } = this;
    for (let place = 0; place < text.length; place += 1) {
      const code = text.charCodeAt(place);
      if (code >= 0x80) return false;
      bytes[at + 1 + place] = code;
    }
    bytes[at] = text.length;
    this.at = at + 1 + text.length;
    return true;
  }

  parts(rows: number): readonly Uint8Array[] {
    const end = this.at + (rows - this.row);
    if (end > this.bytes.length) this.reserve(end);
    return [this.bytes.subarray(0, end)];
  }

  clear(): void {
    this.bytes.fill(0, 0, this.at);
    this.at = 0;
    this.row = 0;
  }

  private reserve(size: number): void {
    const larger = Buffer.alloc(2 * size);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

/** Texts of which a row may have none. */
export class NullableStringColumn implements Column {
  readonly type = 'Nullable(String)';
  private readonly strings = new StringColumn();
  private readonly given = new NumberColumn('', 1, 'nullable');

  put(row: number, text: string | undefined): void {
    if (text === undefined) return;
    this.given.uint8(row, 0);
    this.strings.put(row, text);
  }

  parts(rows: number): readonly Uint8Array[] {
    const [absent = new Uint8Array()] = this.given.parts(rows);
    return [absent, ...this.strings.parts(rows)];
  }

  clear(): void {
    this.given.clear();
    this.strings.clear();
  }
}

/** Elements by name, one column after another. */
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

/** Where each row's items end, then the items of all rows. */
export class ArrayColumn<Item extends Column> implements Column {
  readonly items: Item;
  /** UInt64, whose upper half stays empty. */
  private ends = new Uint32Array(2 * ROOM);
  private count = 0;

  constructor(items: Item) {
    this.items = items;
  }

  get type(): string {
    return `Array(${this.items.type})`;
  }

  /** The place among all items for one more item of a row. Every row is ended with `end`. */
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

/** A whole block: how many columns and rows, then each column behind its name and type. The columns are empty afterwards. */
export function takeBlock(columns: Readonly<Record<string, Column>>, rows: number): Buffer {
  const named = Object.entries(columns);
  const block = Buffer.concat([
    length128(named.length),
    length128(rows),
    ...named.flatMap(([name, column]) => [...text(name), ...text(column.type), ...column.parts(rows)]),
  ]);
  for (const [, column] of named) column.clear();
  return block;
}

function length128(length: number): Uint8Array {
  const bytes = new Uint8Array(5);
  return bytes.subarray(0, writeLength(bytes, 0, length));
}

function text(characters: string): readonly Uint8Array[] {
  const bytes = Buffer.from(characters);
  return [length128(bytes.length), bytes];
}

/** Writes a length in LEB128 and says where it ends. */
function writeLength(to: Uint8Array, begin: number, length: number): number {
  let at = begin;
  let rest = length;
  for (; rest >= 0x80; rest >>>= 7) to[at++] = (rest & 0x7f) | 0x80;
  to[at++] = rest;
  return at;
}
