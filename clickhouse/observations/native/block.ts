import type { Column } from './column.ts';
import { writeVarint } from './varint.ts';

/** A block: the numbers of columns and rows, then the name, type and values of each column. Empties the columns. */
export function encodeBlock(columns: Readonly<Record<string, Column>>, rows: number): Buffer {
  const named = Object.entries(columns);
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
