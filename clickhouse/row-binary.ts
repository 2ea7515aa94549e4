/**
 * Values in ClickHouse's RowBinary, one after another, little-endian: no names to print, nothing for the engine to parse.
 * `undefined` may be given to what writes a Nullable: `…OrNull`, `tenths`, `flag`, `text` and `member`.
 */
export class RowBinary {
  private bytes: Buffer;
  private view: DataView;
  private at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
    this.view = viewOf(this.bytes);
  }

  get length(): number {
    return this.at;
  }

  /** What has been written since the last time. */
  take(): Buffer {
    const taken = this.bytes.subarray(0, this.at);
    this.bytes = Buffer.allocUnsafe(this.bytes.length);
    this.view = viewOf(this.bytes);
    this.at = 0;
    return taken;
  }

  protected uint8OrNull(value: number | undefined): void {
    if (this.given(value)) this.uint8(value);
  }

  protected uint16OrNull(value: number | undefined): void {
    if (this.given(value)) this.uint16(value);
  }

  protected uint32OrNull(value: number | undefined): void {
    if (this.given(value)) this.uint32(value);
  }

  protected float32OrNull(value: number | undefined): void {
    if (!this.given(value)) return;
    this.view.setFloat32(this.at, value, true);
    this.at += 4;
  }

  /** Decimal32(1) */
  protected tenths(value: string | undefined): void {
    if (!this.given(value)) return;
    this.view.setInt32(this.at, Math.round(Number(value) * 10), true);
    this.at += 4;
  }

  protected flag(value: true | undefined): void {
    if (this.given(value)) this.uint8(1);
  }

  protected text(value: string | undefined): void {
    if (this.given(value)) this.string(value);
  }

  /** Enum8 */
  protected member(members: readonly string[], value: string | undefined): void {
    if (this.given(value)) this.uint8(members.indexOf(value) + 1);
  }

  /** What a Nullable begins with. */
  private given<T>(value: T | undefined): value is T {
    this.bytes[this.at] = value === undefined ? 1 : 0;
    this.at += 1;
    return value !== undefined;
  }

  /** Length in LEB128, then UTF-8. */
  protected string(text: string): void {
    // Nearly all are short enough for a length of one byte: guessed, and mended where that is wrong.
    const length = this.bytes.write(text, this.at + 1);
    if (length < 0x80) this.uint8(length);
    else {
      this.length128(length);
      this.bytes.write(text, this.at);
    }
    this.at += length;
  }

  /** Less than 128 characters of ASCII: a few are sooner written one by one. */
  protected word(text: string): void {
    this.uint8(text.length);
    for (let at = 0; at < text.length; at += 1) this.uint8(text.charCodeAt(at));
  }

  protected length128(length: number): void {
    let rest = length;
    for (; rest >= 0x80; rest >>>= 7) this.uint8((rest & 0x7f) | 0x80);
    this.uint8(rest);
  }

  protected uint8(value: number): void {
    this.bytes[this.at] = value;
    this.at += 1;
  }

  protected uint16(value: number): void {
    this.view.setUint16(this.at, value, true);
    this.at += 2;
  }

  protected uint32(value: number): void {
    this.view.setUint32(this.at, value, true);
    this.at += 4;
  }

  protected reserve(more: number): void {
    if (this.at + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(2 * this.bytes.length + more);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
    this.view = viewOf(larger);
  }
}

function viewOf(bytes: Buffer): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
