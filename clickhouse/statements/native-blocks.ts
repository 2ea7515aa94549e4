/** Numbers of a type, little-endian. A Decimal(9, 2) is a whole number of hundredths. */
const NUMBERS = {
  UInt8: Uint8Array,
  Bool: Uint8Array,
  UInt16: Uint16Array,
  UInt32: Uint32Array,
  Float32: Float32Array,
  'Decimal(9, 2)': Int32Array,
} as const;

export type NumberColumn = {
  /** 1 where it is. */
  readonly isNull: Uint8Array;
  readonly values: InstanceType<(typeof NUMBERS)[keyof typeof NUMBERS]>;
};

/** Some rows of a result, by the names of their columns. */
export type Block = {
  readonly rows: number;
  readonly numbers: ReadonlyMap<string, NumberColumn>;
  readonly texts: ReadonlyMap<string, readonly string[]>;
};

/**
 * The blocks of a result in the Native format: of each column its name, its type, a byte for each row that says whether it is
 * NULL, and the values one after another. No number is made of a text: a row of ten cells takes an eighth of the time that it
 * takes as tab-separated text.
 *
 * @throws {Error} of a type that is neither `String` nor one of `NUMBERS`
 */
export function* blocksOf(bytes: Buffer): Generator<Block, undefined> {
  let at = 0;
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  const varint = (): number => {
    const byte = bytes[at++] as number;
    return byte < 0x80 ? byte : byte - 0x80 + 0x80 * varint();
  };
  const text = () => take(varint()).toString('latin1');
  const numbersOf = (type: string, rows: number): NumberColumn => {
    const [, of = type] = /^Nullable\((.+)\)$/.exec(type) ?? [];
    if (!(of in NUMBERS)) throw new Error(`Numbers of the type ${type} cannot be read`);
    const Numbers = NUMBERS[of as keyof typeof NUMBERS];
    const isNull = of === type ? new Uint8Array(rows) : take(rows);
    // A copy, because an array of numbers begins at a multiple of their length.
    return { isNull, values: new Numbers(Uint8Array.from(take(rows * Numbers.BYTES_PER_ELEMENT)).buffer) };
  };
  while (at < bytes.length) {
    const [columns, rows] = [varint(), varint()];
    const numbers = new Map<string, NumberColumn>();
    const texts = new Map<string, readonly string[]>();
    for (let column = 0; column < columns; column += 1) {
      const [name, type] = [text(), text()];
      if (type === 'String') texts.set(name, Array.from({ length: rows }, text));
      else numbers.set(name, numbersOf(type, rows));
    }
    yield { rows, numbers, texts };
  }
}
