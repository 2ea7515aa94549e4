import { InvalidAnswerError } from './errors.ts';

/*
 * A block in the Native format of ClickHouse: the numbers of columns and rows, then of each column its name, its type, a byte
 * for each row that says whether it is NULL where the type is Nullable, and the values one after another, little-endian.
 */

/** A Decimal(9, 1) is a whole number of tenths, a Decimal(9, 2) of hundredths. */
const NUMBER_ARRAYS = {
  Bool: Uint8Array,
  Enum8: Uint8Array,
  UInt8: Uint8Array,
  UInt16: Uint16Array,
  UInt32: Uint32Array,
  DateTime: Uint32Array,
  Int32: Int32Array,
  Date32: Int32Array,
  Decimal: Int32Array,
  Float32: Float32Array,
  Float64: Float64Array,
} as const;

type Numbers = InstanceType<(typeof NUMBER_ARRAYS)[keyof typeof NUMBER_ARRAYS]>;

/**
 * @param type a type of ClickHouse, such as `Nullable(Decimal(9, 2))`
 * @throws {Error} if it is not a type of numbers, or not one of `NUMBER_ARRAYS`
 */
export function numbersIn(type: string) {
  const [, nullable, name = ''] = /^(Nullable\()?(\w+)/.exec(type) ?? [];
  if (!(name in NUMBER_ARRAYS)) throw new Error(`Numbers of the type ${type} cannot be read`);
  return { Numbers: NUMBER_ARRAYS[name as keyof typeof NUMBER_ARRAYS], isNullable: nullable !== undefined };
}

/** Columns of the same rows, by their names. */
export type Columns = Readonly<Record<string, Numbers | readonly string[]>>;

/**
 * The columns of all blocks, in an eighth of the time that tab-separated text takes. It cannot read Nullable numbers.
 */
export function columnsOf(bytes: Buffer): Columns {
  const blocks = [...bytesOfBlocks(bytes)];
  const rows = blocks.reduce((sum, block) => sum + block.rows, 0);
  const columns = (blocks[0]?.columns ?? []).map(({ name, type }, n) => {
    const values = Buffer.concat(blocks.map((block) => block.columns[n]?.values as Buffer));
    if (type === 'String') return [name, textsOf(values, rows)] as const;
    // Copied, because a typed array must begin at a multiple of the length of its numbers.
    return [name, new (numbersIn(type).Numbers)(new Uint8Array(values).buffer)] as const;
  });
  return Object.fromEntries(columns);
}

/** The rows `[begin, end)`: numbers as views of the same columns. */
export function rowsOf<C extends object>(columns: C, begin: number, end: number): C {
  const slices = Object.entries(columns as Columns).map(([name, values]) => [
    name,
    'subarray' in values ? values.subarray(begin, end) : values.slice(begin, end),
  ]);
  return Object.fromEntries(slices) as C;
}

/** @throws {InvalidAnswerError} if the result ends within a block */
export function countRowsOfBlocks(bytes: Buffer): number {
  let sum = 0;
  for (const { rows } of bytesOfBlocks(bytes)) sum += rows;
  return sum;
}

function* bytesOfBlocks(bytes: Buffer) {
  const reader = new Reader(bytes);
  while (reader.at < bytes.length) {
    const [count, rows] = [reader.number(), reader.number()];
    const columns: { readonly name: string; readonly type: string; readonly values: Buffer }[] = [];
    for (let column = 0; column < count; column += 1) {
      const [name, type] = [reader.text(), reader.text()];
      const from = reader.at;
      if (type === 'String') for (let row = 0; row < rows; row += 1) reader.skip(reader.number());
      else reader.skip(rows * bytesOf(type));
      columns.push({ name, type, values: bytes.subarray(from, reader.at) });
    }
    yield { rows, columns };
  }
}

class Reader {
  at = 0;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(length: number): void {
    this.at += length;
    if (this.at > this.#bytes.length) throw new InvalidAnswerError('A block of ClickHouse lacks its end');
  }

  /** A varint (unsigned LEB128): seven bits in each byte, the lowest first; the highest bit says whether another one follows. */
  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 0x80) {
      this.skip(1);
      const byte = this.#bytes[this.at - 1] as number;
      value += (byte % 0x80) * scale;
      if (byte < 0x80) return value;
    }
  }

  text(): string {
    const length = this.number();
    if (length === 0) return '';
    this.skip(length);
    return this.#bytes.toString('latin1', this.at - length, this.at);
  }
}

/** The bytes of one value of a type. */
function bytesOf(type: string): number {
  const { Numbers, isNullable } = numbersIn(type);
  return Numbers.BYTES_PER_ELEMENT + (isNullable ? 1 : 0);
}

function textsOf(bytes: Buffer, rows: number): readonly string[] {
  const reader = new Reader(bytes);
  return Array.from({ length: rows }, () => reader.text());
}
