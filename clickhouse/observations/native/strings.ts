import { type Column, INITIAL_ROWS } from './column.ts';
import { NumberColumn } from './numbers.ts';
import { writeVarint } from './varint.ts';

/** Up to this length a text is written character by character. */
const SHORT_TEXT = 8;

/** Texts in UTF-8, each after its length as a varint. A row without a value is the empty text. */
export class StringColumn implements Column {
  readonly type = 'String';
  private bytes = Buffer.alloc(INITIAL_ROWS);
  private at = 0;
  private row = 0;

  put(row: number, text: string): void {
    // A UTF-16 code unit takes at most three bytes of UTF-8. An empty text is one byte, its length 0.
    const most = this.at + (row - this.row) + 5 + 3 * text.length;
    if (most > this.bytes.length) this.grow(most);
    this.at += row - this.row;
    this.row = row + 1;
    if (text.length <= SHORT_TEXT && this.putAscii(text)) return;
    // Nearly all texts have a length of one byte; a longer text is written a second time, after its longer length.
    const length = this.bytes.write(text, this.at + 1);
    if (length >= 0x80) {
      this.at = writeVarint(this.bytes, this.at, length);
      this.bytes.write(text, this.at);
    } else this.bytes[this.at++] = length;
    this.at += length;
  }

  /**
   * Writes a short ASCII text, which is faster than `Buffer.write`. Returns false for other texts: the caller writes
   * them.
   */
  private putAscii(text: string): boolean {
    const { bytes, at } = this;
    for (let n = 0; n < text.length; n += 1) {
      const code = text.charCodeAt(n);
      if (code >= 0x80) return false;
      bytes[at + 1 + n] = code;
    }
    bytes[at] = text.length;
    this.at = at + 1 + text.length;
    return true;
  }

  parts(rows: number): readonly Uint8Array[] {
    const end = this.at + (rows - this.row);
    if (end > this.bytes.length) this.grow(end);
    return [this.bytes.subarray(0, end)];
  }

  clear(): void {
    this.bytes.fill(0, 0, this.at);
    this.at = 0;
    this.row = 0;
  }

  private grow(size: number): void {
    const larger = Buffer.alloc(2 * size);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }
}

/** Texts that may be NULL. */
export class NullableStringColumn implements Column {
  readonly type = 'Nullable(String)';
  private readonly strings = new StringColumn();
  private readonly presence = new NumberColumn('', 1, 'nullable');

  put(row: number, text: string | undefined): void {
    if (text === undefined) return;
    this.presence.uint8(row, 0);
    this.strings.put(row, text);
  }

  parts(rows: number): readonly Uint8Array[] {
    const [absent = new Uint8Array()] = this.presence.parts(rows);
    return [absent, ...this.strings.parts(rows)];
  }

  clear(): void {
    this.presence.clear();
    this.strings.clear();
  }
}
