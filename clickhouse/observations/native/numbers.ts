import { type Column, INITIAL_ROWS } from './column.ts';

/** Numbers of one width. A row without a value is NULL where the column is Nullable, and 0 where it is not. */
export class NumberColumn implements Column {
  readonly type: string;
  private readonly width: number;
  private readonly isNullable: boolean;
  private capacity = INITIAL_ROWS;
  private absent: Uint8Array;
  private values: DataView;

  /** @param width bytes of a value */
  constructor(type: string, width: 1 | 2 | 4, nullable: 'nullable' | 'required') {
    this.isNullable = nullable === 'nullable';
    this.type = this.isNullable ? `Nullable(${type})` : type;
    this.width = width;
    this.absent = new Uint8Array(this.capacity).fill(1);
    this.values = new DataView(new ArrayBuffer(this.capacity * width));
  }

  // One class with a method for each width: V8 compiles the same few lines once for all columns.

  uint8(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.markPresent(row);
    this.values.setUint8(row, value);
  }

  uint16(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.markPresent(row);
    this.values.setUint16(2 * row, value, true);
  }

  uint32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.markPresent(row);
    this.values.setUint32(4 * row, value, true);
  }

  int32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.markPresent(row);
    this.values.setInt32(4 * row, value, true);
  }

  float32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.markPresent(row);
    this.values.setFloat32(4 * row, value, true);
  }

  parts(rows: number): readonly Uint8Array[] {
    while (rows > this.capacity) this.grow();
    const values = new Uint8Array(this.values.buffer, 0, rows * this.width);
    return this.isNullable ? [this.absent.subarray(0, rows), values] : [values];
  }

  clear(): void {
    this.absent.fill(1);
    new Uint8Array(this.values.buffer).fill(0);
  }

  private markPresent(row: number): void {
    while (row >= this.capacity) this.grow();
    this.absent[row] = 0;
  }

  private grow(): void {
    const { absent, values } = this;
    this.capacity *= 2;
    this.absent = new Uint8Array(this.capacity).fill(1);
    this.absent.set(absent);
    this.values = new DataView(new ArrayBuffer(this.capacity * this.width));
    new Uint8Array(this.values.buffer).set(new Uint8Array(values.buffer));
  }
}
