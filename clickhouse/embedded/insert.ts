import { type Body, wholeBody, withBodyFile } from './body.ts';
import type { Connection, Library, Written } from './library.ts';
import { quote } from './settings.ts';
import type { Statement } from './statement.ts';

/** Where a large insert is kept while it arrives. */
export type Incoming = { readonly directory: string; readonly name: string };

const nothing = Buffer.alloc(0);
const LINE_FEED = 0x0a;

/** Runs an INSERT. Its data is complete before the engine sees any: a sender that breaks off inserts nothing. */
export async function insert(
  library: Library,
  connection: Connection,
  statement: Statement,
  body: Body,
  incoming: Incoming,
): Promise<Written> {
  const write = (text: string, data: Buffer) =>
    library.InsertRawAsyncConnection(connection, text, data, false);
  const { data } = statement;
  if (!data) return write((await wholeBody(body)).toString(), nothing);
  if (data.infile !== undefined && (body.rest || holdsEmptyLine(body.head.subarray(data.begin)))) {
    const [before, after] = [text(body.head, 0, data.infile), text(body.head, data.infile, data.begin)];
    const format = statement.format === 'Values' ? after.replace(/VALUES$/i, 'FORMAT Values') : after;
    return withBodyFile(body, data.begin, incoming.directory, incoming.name, (path) =>
      write(`${before} FROM INFILE ${quote(path)} COMPRESSION 'none' ${format}`, nothing),
    );
  }
  const whole = await wholeBody(body);
  const rows = whole.subarray(data.begin);
  if (data.infile === undefined || !isBlank(rows)) return write(text(whole, 0, data.begin), rows);
  // A server takes an insert of nothing, chDB asks for data. An empty line of JSON is nothing too, and still
  // has the table and the columns checked.
  return write(`${text(whole, 0, data.infile)} FORMAT JSONEachRow`, Buffer.from('\n'));
}

// The library puts a line feed between statement and data: one here would be a second.
function text(bytes: Buffer, begin: number, end: number): string {
  return bytes.subarray(begin, end).toString().trimEnd();
}

/**
 * The library takes an empty line for the end of the data in a statement's text, and for the begin of another statement;
 * the line feed that it puts before the data counts.
 */
function holdsEmptyLine(data: Buffer): boolean {
  return !isBlank(data) && (data[0] === LINE_FEED || data.includes('\n\n'));
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length <= 4096 && /^\s*$/.test(bytes.toString('latin1'));
}
