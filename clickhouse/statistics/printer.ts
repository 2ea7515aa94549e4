import type { Archive } from '../archive.ts';
import { OUTPUT_FORMATS, type StreamFormat } from '../observations/stream/output-formats.ts';
import { LONG_READ } from '../statements/select.ts';
import { ABSENT, type Cell, type Column } from './column.ts';
import type { AnswerRow } from './merged-rows.ts';

/** `json`: the elements of `data`, with commas between them. */
export type AnswerFormat = 'json' | StreamFormat;

/** How a format writes a row: `before` and `after` a value, `absent` in place of one, and `end` after the last. */
type Layout = {
  readonly before: (column: Column, n: number) => string;
  readonly after: (column: Column) => string;
  readonly absent: string;
  readonly end: string;
  /** Between rows. */
  readonly between: string;
  /** After the last row. */
  readonly last: string;
};

const OBJECT: Layout = {
  before: (column, n) => `${n === 0 ? '{' : ','}"${column.name}":${quoteOf(column)}`,
  after: quoteOf,
  absent: '',
  end: '}',
  between: '\n',
  last: '\n',
};

/** No value has a tab, a quote or a backslash. Parquet and Arrow are made by the engine, from tab-separated rows. */
const LAYOUTS: Readonly<Record<'json' | 'ndjson' | 'csv' | 'tabs', Layout>> = {
  json: { ...OBJECT, between: ',', last: '' },
  ndjson: OBJECT,
  csv: {
    before: (column, n) => (n === 0 ? '' : ',') + quoteOf(column),
    after: quoteOf,
    absent: ',',
    end: '',
    between: '\r\n',
    last: '\r\n',
  },
  tabs: {
    before: (_, n) => (n === 0 ? '' : '\t'),
    after: () => '',
    absent: `\t${ABSENT}`,
    end: '',
    between: '\n',
    last: '\n',
  },
};

function quoteOf({ type }: Column): string {
  return /String|Date/.test(type) ? '"' : '';
}

const TAB = 9;
const BACKSLASH = 92;
const PART_BYTES = 256 * 1024;

/** The text of rows. It is written byte by byte: texts of 20 values a row take five times as long. */
export class Printer {
  readonly #before: readonly Buffer[];
  readonly #after: readonly Buffer[];
  readonly #absent: Buffer;
  /** In CSV, which people read, numbers have six decimal places at most. */
  readonly #isShort: readonly boolean[];
  readonly #layout: Layout;
  /** Bytes of a row without its values. */
  readonly #rowBytes: number;
  readonly #parts: Buffer[] = [];
  #part = Buffer.allocUnsafeSlow(PART_BYTES);
  #end = 0;
  #rows = 0;

  constructor(format: AnswerFormat, columns: readonly Column[]) {
    const layout = LAYOUTS[format === 'parquet' || format === 'arrow' ? 'tabs' : format];
    this.#layout = layout;
    this.#before = columns.map((column, n) => Buffer.from(layout.before(column, n)));
    this.#after = columns.map((column) => Buffer.from(layout.after(column)));
    this.#absent = Buffer.from(layout.absent);
    this.#isShort = columns.map(({ type }) => format === 'csv' && type === 'Nullable(Float64)');
    this.#rowBytes = [...this.#before, ...this.#after].reduce((sum, { length }) => sum + length + 2, 16);
    if (format === 'csv') this.#writeText(`${columns.map(({ name }) => `"${name}"`).join()}\r\n`);
  }

  get rows(): number {
    return this.#rows;
  }

  add({ head, values, computed }: AnswerRow): void {
    let most = this.#rowBytes + values.length;
    for (const cell of head) most += cell.length;
    for (const cell of computed ?? []) most += cell?.length ?? 0;
    if (this.#end + most > this.#part.length) this.#flush(most);
    if (this.#rows > 0) this.#writeText(this.#layout.between);
    for (let n = 0; n < head.length; n += 1) this.#writeCell(head[n] as Cell, 0, n);
    this.#writeValues(values, computed, head.length);
    this.#writeText(this.#layout.end);
    this.#rows += 1;
  }

  finish(): Buffer {
    this.#flush(this.#layout.last.length);
    if (this.#rows > 0) this.#writeText(this.#layout.last);
    return Buffer.concat([...this.#parts, this.#part.subarray(0, this.#end)]);
  }

  #writeText(text: string): void {
    this.#end += this.#part.write(text, this.#end, 'latin1');
  }

  /** @param column the first of the values */
  #writeValues(values: string, computed: AnswerRow['computed'], column: number): void {
    for (let n = column, at = 0; n < this.#before.length; n += 1) {
      const cell = computed?.[n - column];
      if (cell !== undefined) this.#writeCell(cell, 0, n);
      else at = this.#writeCell(values, at, n) + 1;
    }
  }

  /**
   * @param text has the value from here to a tab or its end
   * @returns its end
   */
  #writeCell(text: string, from: number, n: number): number {
    const part = this.#part;
    if (text.charCodeAt(from) === BACKSLASH) {
      this.#end = append(part, this.#end, this.#absent);
      return from + ABSENT.length;
    }
    const begin = append(part, this.#end, this.#before[n] as Buffer);
    let [at, end] = [from, begin];
    for (; at < text.length; at += 1, end += 1) {
      const character = text.charCodeAt(at);
      if (character === TAB) break;
      part[end] = character;
    }
    this.#writeEnd(begin, end, n);
    return at;
  }

  #writeEnd(begin: number, end: number, n: number): void {
    const part = this.#part;
    this.#end = append(
      part,
      this.#isShort[n] ? shortenNumber(part, begin, end) : end,
      this.#after[n] as Buffer,
    );
  }

  #flush(needed: number): void {
    this.#parts.push(this.#part.subarray(0, this.#end));
    this.#part = Buffer.allocUnsafeSlow(Math.max(PART_BYTES, needed));
    this.#end = 0;
  }
}

/** Byte by byte, because most have less than 20. */
function append(part: Buffer, end: number, bytes: Buffer): number {
  for (let at = 0; at < bytes.length; at += 1) part[end + at] = bytes[at] as number;
  return end + bytes.length;
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;
const ONE = 49;
const FIVE = 53;
const NINE = 57;
const EXPONENT = 101;

/** Decimal places; of a number below 0.1, significant figures. */
const FIGURES = 6;

/**
 * Rounds a decimal number to six places, or below 0.1 to six significant figures, and drops the zeros at its end: a mean has up
 * to 17 figures. No field has more than four decimal places, so no value of a report changes. It works on the digits, because
 * to make a number of each and print it takes ten times as long.
 *
 * @param text the number from `begin` to before `end`, in place
 * @returns where it ends now
 */
export function shortenNumber(text: Uint8Array, begin: number, end: number): number {
  let [point, first] = [end, end];
  for (let at = begin; at < end; at += 1) {
    const character = text[at] as number;
    if (character === EXPONENT) return end;
    if (character === POINT) point = at;
    else if (first === end && character > ZERO) first = at;
  }
  const cut = Math.max(point + 1, first) + FIGURES;
  if (cut >= end) return end;
  let last = cut - 1;
  if ((text[cut] as number) >= FIVE) last += addOne(text, begin, last);
  while (text[last] === ZERO) last -= 1;
  return text[last] === POINT ? last : last + 1;
}

/** Adds one in the last place. Of nines alone, as in 9.999, the number gets one digit more: returns how many. */
function addOne(text: Uint8Array, begin: number, last: number): 0 | 1 {
  let at = last;
  for (; at >= begin && text[at] !== MINUS; at -= 1) {
    if (text[at] === POINT) continue;
    if (text[at] !== NINE) {
      text[at] = (text[at] as number) + 1;
      return 0;
    }
    text[at] = ZERO;
  }
  text.copyWithin(at + 2, at + 1, last + 1);
  text[at + 1] = ONE;
  return 1;
}

const FILE = 'answer';

/**
 * A file of one format made from the rows of another, by the engine. The names of columns are parameters, because they are
 * text of clients.
 */
export function convertRows(
  archive: Archive,
  columns: readonly Column[],
  rows: Buffer,
  format: 'parquet' | 'arrow',
) {
  const { name, settings } = OUTPUT_FORMATS[format];
  const list = columns.map((_, n) => `column${n} AS {name${n}:Identifier}`).join(', ');
  return archive.select({
    query: `SELECT ${list} FROM ${FILE} FORMAT ${name}`,
    params: Object.fromEntries(columns.map(({ name }, n) => [`name${n}`, name])),
    file: {
      name: FILE,
      format: 'TSV',
      structure: columns.map(({ type }, n) => `column${n} ${type}`).join(', '),
      bytes: rows,
    },
    settings: {
      ...settings,
      ...LONG_READ,
      max_threads: 1,
      // Every digit of a double, and times with a T and a Z.
      precise_float_parsing: 1,
      date_time_input_format: 'best_effort',
    },
  });
}
