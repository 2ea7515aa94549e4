import { PassThrough, pipeline, type Readable } from 'node:stream';
import { type FileMetaData, parquetMetadata, type RowGroup, type SchemaElement } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { StreamFormat } from './output-formats.ts';

/** The bytes of records in a format, and how many records they were, once all are read. */
export class RecordStream extends PassThrough {
  records = 0;
  /** How many windows have been read, including windows without records. */
  windows = 0;
}

/**
 * Sends windows one after another as one stream, and requests each while the one before is sent. If the first one cannot
 * be opened, this throws; a later failure becomes an error of the stream, which then never ends and keeps it in `errored`
 * until it is read.
 *
 * More than `limit` records are a failure too: a loader can insert into a window that was counted but not yet read (D33).
 *
 * @param windows what the engine prints for each window, the first in the format `name` of `OUTPUT_FORMATS`, the others in
 * the format `following`
 */
export async function joinWindows(
  format: StreamFormat,
  limit: number,
  windows: AsyncIterator<Readable, undefined>,
): Promise<RecordStream> {
  const joined = new RecordStream();
  let { value: window } = await windows.next();
  let next: Promise<IteratorResult<Readable, undefined>> | undefined;
  async function* readAhead() {
    while (window !== undefined) {
      next = windows.next();
      // The error is reported where the promise is awaited.
      next.catch(() => {});
      yield window;
      joined.windows += 1;
      window = (await next).value;
    }
  }
  async function* bytes() {
    const count = { records: 0 };
    for await (const part of JOIN[format](readAhead(), count)) {
      if (count.records > limit)
        throw new Error('Records were inserted while the stream was sent: repeat the request');
      yield part;
    }
    joined.records = count.records;
  }
  // If a window sends nothing, the loop would not see that the reader is gone.
  joined.once('close', () => {
    window?.destroy();
    next?.then(
      ({ value }) => value?.destroy(),
      () => {},
    );
  });
  joined.on('error', () => {});
  pipeline(bytes, joined, () => {});
  return joined;
}

/** Makes one stream of what the engine prints for one window after another, and counts its records in `count`, from 0. */
type Join = (windows: AsyncIterable<Readable>, count: { records: number }) => AsyncGenerator<Buffer>;

const LINE_FEED = 10;

const joinLines: Join = async function* (windows, count) {
  for await (const window of windows)
    for await (const chunk of window as AsyncIterable<Buffer>) {
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, at + 1))
        count.records += 1;
      yield chunk;
    }
};

/** The first window has a header, whose line is no record. */
const joinCsv: Join = async function* (windows, count) {
  count.records = -1;
  yield* joinLines(windows, count);
  // Without any window there is no header.
  count.records = Math.max(0, count.records);
};

/** `MessageHeader` of the format: a schema begins a stream, and record batches follow. */
const SCHEMA_MESSAGE = 1;
/** FFFFFFFF, and the length of the metadata. */
const PREFIX_BYTES = 8;
const ARROW_END = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/**
 * Joins streams of Arrow's IPC format: the schema once, the record batches of all, and one end. A message is a prefix, its
 * metadata as a flatbuffer, and its body (https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format).
 */
const joinArrow: Join = async function* (windows, count) {
  let hasSchema = false;
  for await (const window of windows) {
    let held: Buffer = Buffer.alloc(0);
    let bodyLeft = 0;
    for await (const chunk of window as AsyncIterable<Buffer>) {
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      for (;;) {
        if (bodyLeft > 0) {
          const body = held.subarray(0, bodyLeft);
          bodyLeft -= body.length;
          held = held.subarray(body.length);
          if (body.length > 0) yield body;
        }
        const message = bodyLeft === 0 ? readMessage(held) : undefined;
        if (message === undefined) break;
        const { headerType, length, bodyLength } = message;
        const isSent = length > PREFIX_BYTES && !(headerType === SCHEMA_MESSAGE && hasSchema);
        hasSchema ||= headerType === SCHEMA_MESSAGE;
        count.records += message.rows;
        if (isSent) yield held.subarray(0, length);
        held = held.subarray(length);
        bodyLeft = bodyLength;
      }
    }
    if (held.length > 0 || bodyLeft > 0) throw new Error('ClickHouse sent a part of an Arrow message');
  }
  yield ARROW_END;
};

/** The message at the start, without its body; undefined without all its metadata. `headerType` 0 is the end of a stream. */
function readMessage(bytes: Buffer) {
  if (bytes.length < PREFIX_BYTES) return undefined;
  const length = PREFIX_BYTES + bytes.readInt32LE(4);
  if (length === PREFIX_BYTES) return { headerType: 0, length, bodyLength: 0, rows: 0 };
  if (bytes.length < length) return undefined;
  const message = PREFIX_BYTES + bytes.readInt32LE(PREFIX_BYTES);
  const [typeAt, headerAt, bodyLengthAt] = [1, 2, 3].map((field) => fieldAt(bytes, message, field));
  const headerType = typeAt ? bytes.readUInt8(typeAt) : 0;
  const batch =
    headerAt && headerType !== SCHEMA_MESSAGE ? headerAt + bytes.readInt32LE(headerAt) : undefined;
  const rowsAt = batch && fieldAt(bytes, batch, 0);
  return {
    headerType,
    length,
    bodyLength: bodyLengthAt ? Number(bytes.readBigInt64LE(bodyLengthAt)) : 0,
    rows: rowsAt ? Number(bytes.readBigInt64LE(rowsAt)) : 0,
  };
}

/** The position of a field in a flatbuffer table; undefined if the field has its default. */
function fieldAt(bytes: Buffer, table: number, field: number): number | undefined {
  const vtable = table - bytes.readInt32LE(table);
  const entry = 4 + 2 * field;
  const offset = entry < bytes.readUInt16LE(vtable) ? bytes.readUInt16LE(vtable + entry) : 0;
  return offset === 0 ? undefined : table + offset;
}

/** At the start and end of a file. The footer length precedes the one at the end. */
const PARQUET_MAGIC = Buffer.from('PAR1');
const LENGTH_BYTES = 4;
/** More than the footer of any window: a row group with all fields takes about 10 kB of it. */
const MAX_FOOTER_BYTES = 1024 * 1024;

/**
 * Joins Parquet files with the same columns: the row groups of all, and one footer that says where each begins. Page
 * indexes have their own positions, so the engine must not write any.
 */
const joinParquet: Join = async function* (windows, count) {
  const rowGroups: RowGroup[] = [];
  let first: FileMetaData | undefined;
  let footerOfFirst: Buffer = Buffer.alloc(0);
  let sent = 0;
  for await (const window of windows) {
    const skipped = first === undefined ? 0 : PARQUET_MAGIC.length;
    const { tail, length } = yield* sendAllButTail(window, skipped);
    const metadata = parquetMetadata(tail, { geoparquet: false });
    count.records += Number(metadata.num_rows);
    const footerBytes = metadata.metadata_length + LENGTH_BYTES + PARQUET_MAGIC.length;
    if (first === undefined) {
      first = metadata;
      footerOfFirst = tail.subarray(-footerBytes);
    }
    for (const group of metadata.row_groups) moveRowGroup(group, BigInt(sent - skipped));
    rowGroups.push(...metadata.row_groups);
    sent += length - footerBytes;
    yield tail.subarray(0, -footerBytes);
  }
  yield first === undefined || rowGroups.length === 0 ? footerOfFirst : footerOf(first, rowGroups);
};

function footerOf({ schema, created_by }: FileMetaData, rowGroups: RowGroup[]): Buffer {
  const file = new ByteWriter();
  const writer = new ParquetWriter({
    writer: file,
    schema: schema.map(withoutIntegerType),
    createdBy: created_by ?? '',
  });
  writer.num_rows = rowGroups.reduce((sum, group) => sum + group.num_rows, 0n);
  writer.row_groups = rowGroups;
  void writer.finish();
  return Buffer.from(file.getBytes()).subarray(PARQUET_MAGIC.length);
}

/** Sends a file except its last bytes. Returns those, and the number of bytes without the skipped ones. */
async function* sendAllButTail(file: Readable, skipped: number) {
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

function moveRowGroup(group: RowGroup, by: bigint): void {
  if (group.file_offset !== undefined) group.file_offset += by;
  for (const column of group.columns) {
    // 0 is not a position: the field is unused.
    if (column.file_offset !== 0n) column.file_offset += by;
    const { meta_data: data } = column;
    if (data === undefined) continue;
    data.data_page_offset += by;
    if (data.dictionary_page_offset) data.dictionary_page_offset += by;
  }
}

/** hyparquet-writer writes the width of an integer in a type that readers do not expect. The older name says the same. */
function withoutIntegerType({ logical_type: type, ...element }: SchemaElement): SchemaElement {
  return type === undefined || type.type === 'INTEGER' ? element : { ...element, logical_type: type };
}

const JOIN: Readonly<Record<StreamFormat, Join>> = {
  ndjson: joinLines,
  csv: joinCsv,
  parquet: joinParquet,
  arrow: joinArrow,
};
