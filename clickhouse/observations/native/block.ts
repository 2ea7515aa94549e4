import type { Column } from './column.ts';
import { writeVarint } from './varint.ts';

/** A whole block: how many columns and rows, then each column behind its name and type. The columns are empty afterwards. */
export function encodeBlock(columns: Readonly<Record<string, Column>>, rows: number): Buffer {
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
  return bytes.subarray(0, writeVarint(bytes, 0, length));
}

function text(characters: string): readonly Uint8Array[] {
  const bytes = Buffer.from(characters);
  return [length128(bytes.length), bytes];
}
