// ClickHouse prints each row of a page as one record of the contract, and a line break. The first keys have a fixed
// width, so two rows of one report are recognized by comparing bytes, and no row is parsed.
const KEY =
  '{"id":"KJFK-200501010000-01234567","station":"KJFK","observedAt":"2005-01-01T00:00:00Z","type":"METAR"';
const FINGERPRINT_AT = KEY.indexOf('01234567');
const STATUS_AT = KEY.length + ',"parseStatus":"'.length;

const LINE_BREAK = 0x0a;
const LETTER_E = 0x65;

/** Where in `rows` a record begins and ends; the bytes between them are what is served. */
type Span = { readonly start: number; readonly end: number };

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

/** Of the statuses that a row can have (retracted, raw_only, parsed, failed) one has this second letter. */
export function isRetracted(rows: Buffer, start: number): boolean {
  return rows[start + STATUS_AT + 1] === LETTER_E;
}
