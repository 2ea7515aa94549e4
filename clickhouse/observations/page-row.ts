// ClickHouse prints each row of page.sql as one record of the contract, and a line break. The first keys have a fixed
// width, so two rows of one report are recognized by comparing bytes, and no row is parsed.
const KEY =
  '{"id":"KJFK-200501010000-01234567","station":"KJFK","observedAt":"2005-01-01T00:00:00Z","type":"METAR"';
const FINGERPRINT_AT = KEY.indexOf('01234567');
const STATUS_AT = KEY.length + ',"parseStatus":"'.length;

const LINE_BREAK = 0x0a;
const CLOSING_BRACE = 0x7d;
const CLOSING_BRACKET = 0x5d;
const LETTER_E = 0x65;
const LETTER_P = 0x70;
const DECODED = Buffer.from(',"decoded":{');
/** The lists of `decoded`: ClickHouse prints them in this order, and cannot leave an empty one out. */
const LISTS = ['"rvr":[', '"clouds":['].map((text) => Buffer.from(text));
const EMPTY_LIST_END = '],'.length;

/** Where in `rows` a record begins and ends; the bytes between them are what is served. */
export type Span = { readonly start: number; readonly end: number };

/** The row that begins at `start`, without its line break. */
export function rowAt(rows: Buffer, start: number): Span {
  const end = rows.indexOf(LINE_BREAK, start);
  if (end < 0) throw new Error('The last row of a page has no line break');
  return { start, end };
}

/** Whether two rows are versions of one report. Rows of one minute differ in their fingerprint, so it comes first. */
export function haveSameKey(rows: Buffer, one: number, other: number): boolean {
  for (let n = FINGERPRINT_AT; n < KEY.length; n += 1) if (rows[one + n] !== rows[other + n]) return false;
  for (let n = 0; n < FINGERPRINT_AT; n += 1) if (rows[one + n] !== rows[other + n]) return false;
  return true;
}

/** Of the statuses that page.sql prints (retracted, raw_only, parsed, failed) one has this second letter. */
export function isRetracted(rows: Buffer, start: number): boolean {
  return rows[start + STATUS_AT + 1] === LETTER_E;
}

/** One of them has this first letter, where `decoded` is requested and the row is not retracted. */
function isParsed(rows: Buffer, start: number): boolean {
  return rows[start + STATUS_AT] === LETTER_P;
}

/**
 * Moves a row to `to`, which is not after its start, in the form in which it is served: `decoded` only where the report
 * parsed cleanly (D7), and without empty lists (D9). Returns its end. The text of a report cannot contain the names that
 * this looks for: inside a JSON string every quote has a backslash before it.
 */
export function moveRecord(rows: Buffer, { start, end }: Span, to: number, hasDecoded: boolean): number {
  if (!hasDecoded) return moveBytes(rows, start, end, to);
  const decodedAt = rows.indexOf(DECODED, start + STATUS_AT);
  if (!isParsed(rows, start)) {
    const recordEnd = moveBytes(rows, start, decodedAt, to);
    rows[recordEnd] = CLOSING_BRACE;
    return recordEnd + 1;
  }
  let [from, written] = [start, to];
  let at = decodedAt;
  for (const list of LISTS) {
    at = rows.indexOf(list, at);
    if (rows[at + list.length] !== CLOSING_BRACKET) continue;
    written = moveBytes(rows, from, at, written);
    from = at + list.length + EMPTY_LIST_END;
    at = from;
  }
  return moveBytes(rows, from, end, written);
}

function moveBytes(rows: Buffer, start: number, end: number, to: number): number {
  if (to !== start) rows.copyWithin(to, start, end);
  return to + end - start;
}
