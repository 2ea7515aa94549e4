import type { Answer } from './answer.ts';
import { firstBlocks } from './blocks.ts';
import { type Body, wholeBody } from './body.ts';
import { ClickHouseException } from './exception.ts';
import { isStreamable } from './formats.ts';
import { type Incoming, insert } from './insert.ts';
import type { Connection, Library } from './library.ts';
import type { Request } from './request.ts';
import { readStatement, type Statement } from './statement.ts';

/** Runs the statement of a request on a connection that has its settings already. */
export async function run(
  library: Library,
  connection: Connection,
  request: Request,
  body: Body,
  incoming: Incoming,
): Promise<Answer> {
  const statement = readStatement(body.head.toString('latin1'));
  refuseWhatServersRefuse(statement, request);
  if (statement.verb === 'INSERT') {
    const { rowsWritten, bytesWritten, elapsed } = await insert(
      library,
      connection,
      statement,
      body,
      incoming,
    );
    const rows = { readRows: rowsWritten, writtenRows: rowsWritten, resultRows: rowsWritten };
    const counts = { ...rows, readBytes: bytesWritten, writtenBytes: bytesWritten, seconds: elapsed };
    return { kind: 'whole', format: '', bytes: Buffer.alloc(0), counts };
  }
  const text = (await wholeBody(body)).toString();
  const format = statement.format ?? request.format ?? 'TabSeparated';
  if (canStream(statement.verb, format, text, request)) {
    return firstBlocks(library, library.StreamQuery(connection, text, format), format);
  }
  const known = statement.verb === 'KILL' ? findByQueryId(text) : text;
  const { bytes, rowsRead, bytesRead, elapsed } = await library.QueryAsyncConnection(
    connection,
    known,
    format,
  );
  return {
    kind: 'whole',
    format,
    bytes,
    counts: { readRows: rowsRead, readBytes: bytesRead, seconds: elapsed },
  };
}

function refuseWhatServersRefuse(statement: Statement, request: Request): void {
  if (statement.several) {
    throw new ClickHouseException(62, 'SYNTAX_ERROR', 'Syntax error (Multi-statements are not allowed)');
  }
  if (statement.file !== undefined) {
    throw new ClickHouseException(
      358,
      'INTO_OUTFILE_NOT_ALLOWED',
      `${statement.file} is not allowed over HTTP`,
    );
  }
  if (request.readOnly && !reading.test(statement.verb)) {
    throw new ClickHouseException(164, 'READONLY', 'Cannot execute query in readonly mode');
  }
}

// The empty verb is a SELECT in parentheses, or something that the engine refuses.
const reading = /^(?:SELECT|WITH|FROM|SHOW|DESCRIBE|DESC|EXISTS|EXPLAIN|CHECK|)$/;

// A block cannot tell that it is the first or last: what stands before or after all rows, and not only in formats
// made that way, keeps an answer whole. A session may have settings of its own that ask for such things.
function canStream(verb: string, format: string, text: string, request: Request): boolean {
  if (!/^(?:SELECT|WITH)$/.test(verb) || !isStreamable(format)) return false;
  if (request.wholeBeforeHeaders || request.session) return false;
  const asked = `${[...request.settings.keys()].join(' ')} ${text}`;
  return !/\b(?:totals|extremes|output_format_json_array_of_rows)\b/i.test(asked);
}

// To the engine a query has an id of chDB's own making; the caller's is its `log_comment` (see `settings.ts`).
function findByQueryId(text: string): string {
  return text.replace(/\bquery_id\b(?=\s*(?:=|IN\b))/gi, "Settings['log_comment']");
}
