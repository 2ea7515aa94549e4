import type { Readable } from 'node:stream';
import { RowLimit, type WindowJoiner } from './join-windows.ts';

/** `MessageHeader` of the format: a schema begins a stream, and record batches follow. */
const SCHEMA = 1;
/** FFFFFFFF, and the length of the metadata. */
const PREFIX_BYTES = 8;
const END = Buffer.from([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);

/**
 * Joins streams of Arrow's IPC format: the schema once, the record batches of all, and one end. A message is a prefix, its
 * metadata as a flatbuffer, and its body (https://arrow.apache.org/docs/format/Columnar.html#encapsulated-message-format).
 */
export function joinArrow(limit: number): WindowJoiner {
  const rows = new RowLimit(limit);
  let hasSchema = false;
  return {
    async *add(window: Readable) {
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
          const isSent = length > PREFIX_BYTES && !(headerType === SCHEMA && hasSchema);
          hasSchema ||= headerType === SCHEMA;
          rows.add(message.rows);
          if (isSent) yield held.subarray(0, length);
          held = held.subarray(length);
          bodyLeft = bodyLength;
        }
      }
      if (held.length > 0 || bodyLeft > 0) throw new Error('The storage has sent a part of an Arrow message');
    },
    end: () => END,
    records: () => rows.count,
  };
}

/** Of one message without its body; `headerType` 0 is the end of a stream. */
type Message = {
  readonly headerType: number;
  readonly length: number;
  readonly bodyLength: number;
  readonly rows: number;
};

/** The message at the start of the bytes; undefined if they do not hold its metadata yet. */
function readMessage(bytes: Buffer): Message | undefined {
  if (bytes.length < PREFIX_BYTES) return undefined;
  const length = PREFIX_BYTES + bytes.readInt32LE(4);
  if (length === PREFIX_BYTES) return { headerType: 0, length, bodyLength: 0, rows: 0 };
  if (bytes.length < length) return undefined;
  const message = PREFIX_BYTES + bytes.readInt32LE(PREFIX_BYTES);
  const [typeAt, headerAt, bodyLengthAt] = [1, 2, 3].map((field) => fieldAt(bytes, message, field));
  const headerType = typeAt ? bytes.readUInt8(typeAt) : 0;
  const batch = headerAt && headerType !== SCHEMA ? headerAt + bytes.readInt32LE(headerAt) : undefined;
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
