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

export type Numbers = InstanceType<(typeof NUMBER_ARRAYS)[keyof typeof NUMBER_ARRAYS]>;

/**
 * @param type `Nullable(Decimal(9, 2))`
 * @throws {Error} of a type that is none of numbers, or of others
 */
export function numbersIn(type: string) {
  const [, nullable, name = ''] = /^(Nullable\()?(\w+)/.exec(type) ?? [];
  if (!(name in NUMBER_ARRAYS)) throw new Error(`Numbers of the type ${type} cannot be read`);
  return { Numbers: NUMBER_ARRAYS[name as keyof typeof NUMBER_ARRAYS], isNullable: nullable !== undefined };
}

/** Writes a number as a varint (unsigned LEB128) from `begin` on, and returns where it ends. */
export function writeVarint(to: Uint8Array, begin: number, value: number): number {
  let at = begin;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) to[at++] = (rest & 0x7f) | 0x80;
  to[at++] = rest;
  return at;
}

/** Reads a varint: seven bits in each byte, the lowest first; the highest bit says whether another byte follows. */
export function readVarint(next: () => number): number {
  for (let [value, scale] = [0, 1]; ; scale *= 0x80) {
    const byte = next();
    value += (byte % 0x80) * scale;
    if (byte < 0x80) return value;
  }
}
