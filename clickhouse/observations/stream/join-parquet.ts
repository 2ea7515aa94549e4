import type { Readable } from 'node:stream';
import {
  type ColumnChunk,
  type FileMetaData,
  parquetMetadata,
  type RowGroup,
  type SchemaElement,
} from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { RowLimit, type WindowJoiner } from './join-windows.ts';

/** At the start and end of a file. The footer length precedes the one at the end. */
const MAGIC = Buffer.from('PAR1');
const LENGTH_BYTES = 4;
/** More than the footer of any window: a row group with all fields takes about 10 kB of it. */
const MAX_FOOTER_BYTES = 1024 * 1024;

/**
 * Joins Parquet files with the same columns: the row groups of all, and one footer that says where each begins. Page
 * indexes have their own positions, so the engine must not write any.
 */
export function joinParquet(limit: number): WindowJoiner {
  const rows = new RowLimit(limit);
  const rowGroups: RowGroup[] = [];
  let first: FileMetaData | undefined;
  let footerOfFirst: Buffer = Buffer.alloc(0);
  let sent = 0;
  return {
    async *add(window: Readable) {
      const skipped = first === undefined ? 0 : MAGIC.length;
      const { tail, length } = yield* sendAllButTail(window, skipped);
      const metadata = parquetMetadata(tail, { geoparquet: false });
      rows.add(Number(metadata.num_rows));
      const footerBytes = metadata.metadata_length + LENGTH_BYTES + MAGIC.length;
      if (first === undefined) [first, footerOfFirst] = [metadata, tail.subarray(-footerBytes)];
      rowGroups.push(...metadata.row_groups.map((group) => moveRowGroup(group, BigInt(sent - skipped))));
      sent += length - footerBytes;
      yield tail.subarray(0, -footerBytes);
    },
    end() {
      if (first === undefined || rowGroups.length === 0) return footerOfFirst;
      const file = new ByteWriter();
      const schema = first.schema.map(withoutIntegerType);
      const writer = new ParquetWriter({ writer: file, schema, createdBy: first.created_by ?? '' });
      writer.num_rows = rowGroups.reduce((sum, group) => sum + group.num_rows, 0n);
      writer.row_groups = rowGroups;
      void writer.finish();
      return Buffer.from(file.getBytes()).subarray(MAGIC.length);
    },
    records: () => rows.count,
  };
}

/** Sends a file except its last bytes. Returns those, and the number of bytes without the skipped ones. */
async function* sendAllButTail(
  file: Readable,
  skipped: number,
): AsyncGenerator<Buffer, { readonly tail: Buffer; readonly length: number }> {
  const held: Buffer[] = [];
  let [heldBytes, length] = [0, -skipped];
  for await (const chunk of file as AsyncIterable<Buffer>) {
    const from = Math.min(chunk.length, Math.max(0, -length));
    length += chunk.length;
    held.push(chunk.subarray(from));
    heldBytes += chunk.length - from;
    for (let [oldest] = held; oldest && heldBytes - oldest.length >= MAX_FOOTER_BYTES; [oldest] = held) {
      yield oldest;
      heldBytes -= oldest.length;
      held.shift();
    }
  }
  return { tail: Buffer.concat(held), length };
}

function moveRowGroup(group: RowGroup, by: bigint): RowGroup {
  const { file_offset: offset, columns } = group;
  return {
    ...group,
    ...(offset !== undefined && { file_offset: offset + by }),
    columns: columns.map((chunk) => moveColumn(chunk, by)),
  };
}

function moveColumn(chunk: ColumnChunk, by: bigint): ColumnChunk {
  const { file_offset: offset, meta_data: data } = chunk;
  return {
    ...chunk,
    // 0 is not a position: the field is unused.
    file_offset: offset === 0n ? offset : offset + by,
    ...(data && {
      meta_data: {
        ...data,
        data_page_offset: data.data_page_offset + by,
        ...(data.dictionary_page_offset && { dictionary_page_offset: data.dictionary_page_offset + by }),
      },
    }),
  };
}

/** hyparquet-writer writes the width of an integer in a type that readers do not expect. The older name says the same. */
function withoutIntegerType({ logical_type: type, ...element }: SchemaElement): SchemaElement {
  return type === undefined || type.type === 'INTEGER' ? element : { ...element, logical_type: type };
}
