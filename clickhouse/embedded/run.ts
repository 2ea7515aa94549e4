import { type Body, wholeBody, withBodyFile } from './body.ts';
import { ClickHouseException } from './exception.ts';
import { isStreamable } from './formats.ts';
import type { Connection, Cursor, Library } from './library.ts';
import type { Request } from './request.ts';
import { readStatement, type Statement } from './statement.ts';

/** What `X-ClickHouse-Summary` counts. */
export type Counts = {
  readonly readRows: number;
  readonly readBytes: number;
  readonly writtenRows: number;
  readonly writtenBytes: number;
  readonly seconds: number;
};

export type Answer =
  | { readonly kind: 'whole'; readonly format: string; readonly bytes: Buffer; readonly counts: Counts }
  /** Blocks are fetched as they are read; the connection is in use until the last. */
  | { readonly kind: 'blocks'; readonly format: string; readonly blocks: AsyncGenerator<Buffer, void, void> };

/** Up to here an answer is awaited whole, so that its failure has a status of its own. */
const wholeUpTo = 1024 * 1024;

const nothing: Counts = { readRows: 0, readBytes: 0, writtenRows: 0, writtenBytes: 0, seconds: 0 };

const reading = /^(?:SELECT|WITH|FROM|SHOW|DESCRIBE|DESC|EXISTS|EXPLAIN|CHECK|)$/;

/** Runs one statement on a connection that has its settings already. */
export async function run(
  library: Library,
  connection: Connection,
  request: Request,
  body: Body,
  scratch: { readonly directory: string; readonly name: string },
): Promise<Answer> {
  const statement = readStatement(body.head.toString('latin1'));
  refuseWhatServersRefuse(statement, request);
  if (statement.verb === 'INSERT') {
    const written = await insert(library, connection, statement, body, scratch);
    const { rowsWritten, bytesWritten, elapsed } = written;
    const counts = {
      readRows: rowsWritten,
      readBytes: bytesWritten,
      writtenRows: rowsWritten,
      writtenBytes: bytesWritten,
      seconds: elapsed,
    };
    return { kind: 'whole', format: '', bytes: Buffer.alloc(0), counts };
  }
  const text = (await wholeBody(body)).toString();
  const format = statement.format ?? request.format ?? 'TabSeparated';
  if (/^(?:SELECT|WITH|)$/.test(statement.verb) && canStream(statement, request, format)) {
    return firstBlocks(library, library.StreamQuery(connection, text, format), format, request);
  }
  const { bytes, rowsRead, bytesRead, elapsed } = await library.QueryAsyncConnection(
    connection,
    text,
    format,
  );
  const counts = { ...nothing, readRows: rowsRead, readBytes: bytesRead, seconds: elapsed };
  return { kind: 'whole', format, bytes, counts };
}

function refuseWhatServersRefuse(statement: Statement, request: Request): void {
  if (statement.several) {
    throw new ClickHouseException(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  }
  // Over HTTP neither may touch the files of the machine.
  if (statement.words.has('OUTFILE')) {
    throw new ClickHouseException(358, 'INTO_OUTFILE_NOT_ALLOWED', 'INTO OUTFILE is not allowed');
  }
  if (statement.words.has('INFILE')) {
    throw new ClickHouseException(1, 'UNSUPPORTED_METHOD', 'FROM INFILE is not allowed');
  }
  if (request.readOnly && !reading.test(statement.verb)) {
    throw new ClickHouseException(164, 'READONLY', 'Cannot execute query in readonly mode');
  }
}

async function insert(
  library: Library,
  connection: Connection,
  statement: Statement,
  body: Body,
  scratch: { readonly directory: string; readonly name: string },
) {
  const { data } = statement;
  if (!data) {
    return library.InsertRawAsyncConnection(
      connection,
      (await wholeBody(body)).toString(),
      Buffer.alloc(0),
      false,
    );
  }
  if (body.rest && data.infile !== undefined) {
    const before = body.head.subarray(0, data.infile).toString();
    const after = body.head.subarray(data.infile, data.begin).toString();
    const format = statement.format === 'Values' ? after.replace(/VALUES\s*$/i, 'FORMAT Values') : after;
    return withBodyFile(body, data.begin, scratch.directory, scratch.name, (path) =>
      library.InsertRawAsyncConnection(
        connection,
        `${before} FROM INFILE '${path.replace(/['\\]/g, '\\$&')}' COMPRESSION 'none' ${format}`,
        Buffer.alloc(0),
        false,
      ),
    );
  }
  const whole = await wholeBody(body);
  // The library puts a line feed between the two.
  const text = whole.subarray(0, data.begin).toString().trimEnd();
  const bytes = whole.subarray(data.begin);
  if (!isBlank(bytes) || data.infile === undefined) {
    return library.InsertRawAsyncConnection(connection, text, bytes, false);
  }
  // A server takes an insert of nothing; chDB asks for data. An empty line of JSON is nothing too, and
  // still has table and columns checked.
  const probe = `${whole.subarray(0, data.infile).toString()} FORMAT JSONEachRow`;
  return library.InsertRawAsyncConnection(connection, probe, Buffer.from('\n'), false);
}

function isBlank(bytes: Buffer): boolean {
  return bytes.length <= 4096 && /^\s*$/.test(bytes.toString('latin1'));
}

// Totals and extremes follow the rows of the text formats; between blocks they would be misplaced.
function canStream(statement: Statement, request: Request, format: string): boolean {
  return isStreamable(format) && !statement.words.has('TOTALS') && !request.settings.has('extremes');
}

async function firstBlocks(
  library: Library,
  cursor: Cursor,
  format: string,
  request: Request,
): Promise<Answer> {
  const blocks = fetchBlocks(library, cursor);
  const first: Buffer[] = [];
  let length = 0;
  while (length < wholeUpTo || request.wholeBeforeHeaders) {
    const next = await blocks.next();
    if (next.done) return { kind: 'whole', format, bytes: Buffer.concat(first), counts: nothing };
    first.push(next.value);
    length += next.value.length;
  }
  return { kind: 'blocks', format, blocks: chain(first, blocks) };
}

async function* fetchBlocks(library: Library, cursor: Cursor): AsyncGenerator<Buffer, void, void> {
  let finished = false;
  try {
    for (;;) {
      const block = await library.StreamFetch(cursor);
      if (block.done) {
        finished = true;
        return;
      }
      yield block.bytes;
    }
  } catch (error) {
    finished = true;
    throw error;
  } finally {
    if (!finished) library.StreamCancel(cursor);
  }
}

async function* chain(
  first: readonly Buffer[],
  rest: AsyncGenerator<Buffer, void, void>,
): AsyncGenerator<Buffer, void, void> {
  try {
    yield* first;
    yield* rest;
  } finally {
    await rest.return();
  }
}
