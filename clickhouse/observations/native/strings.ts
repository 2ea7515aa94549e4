import { type Column, INITIAL_ROWS } from './column.ts';
import { NumberColumn } from './numbers.ts';
import { writeVarint } from './varint.ts';

/** So few characters are a word. */
const WORD = 8;

/** Text in UTF-8, each behind its length in LEB128. A row that is passed over is empty. */
export class StringColumn implements Column {
  readonly type = 'String';
  private bytes = Buffer.alloc(INITIAL_ROWS);
  private at = 0;
  private row = 0;

  put(row: number, text: string): void {
    // A character of JavaScript's takes three bytes of UTF-8 at most; an empty text is a length of zero alone.
    const most = this.at + (row - this.row) + 5 + 3 * text.length;
    if (most > this.bytes.length) this.reserve(most);
    this.at += row - this.row;
    this.row = row + 1;
    if (text.length <= WORD && this.word(text)) return;
    // Nearly all are short enough for a length of one byte: guessed, and mended where that is wrong.
    const length = this.bytes.write(text, this.at + 1);
    if (length >= 0x80) {
      this.at = writeVarint(this.bytes, this.at, length);
      this.bytes.write(text, this.at);
    } else this.bytes[this.at++] = length;
    this.at += length;
  }

  /** A few characters of ASCII are sooner written one by one; others are left to be written over. */
  private word(text: string): boolean {
    const { bytes, at } = this;
    for (let place = 0; place < text.length; place += 1) {
      const code = text.charCodeAt(place);
      if (code >= 0x80) return false;
      bytes[at + 1 + place] = code;
    }
    bytes[at] = text.length;
    this.at = at + 1 + text.length;
    return true;
  }

  parts(rows: number): readonly Uint8Array[] {
    const end = this.at + (rows - this.row);
    if (end > this.bytes.length) this.reserve(end);
    return [this.bytes.subarray(0, end)];
  }

  clear(): void {
    this.bytes.fill(0, 0, this.at);
    this.at = 0;
    this.row = 0;
  }

  private reserve(size: number): void {
    const larger = Buffer.alloc(2 * size);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

/** Texts of which a row may have none. */
export class NullableStringColumn implements Column {
  readonly type = 'Nullable(String)';
  private readonly strings = new StringColumn();
  private readonly given = new NumberColumn('', 1, 'nullable');

  put(row: number, text: string | undefined): void {
    if (text === undefined) return;
    this.given.uint8(row, 0);
    this.strings.put(row, text);
  }

  parts(rows: number): readonly Uint8Array[] {
    const [absent = new Uint8Array()] = this.given.parts(rows);
    return [absent, ...this.strings.parts(rows)];
  }

  clear(): void {
    this.given.clear();
    this.strings.clear();
  }
}
