import { type Column, INITIAL_ROWS } from './column.ts';

/** Values of one width; where the column is Nullable, all NULL at first, else 0. */
export class NumberColumn implements Column {
  readonly type: string;
  private readonly width: number;
  private readonly isNullable: boolean;
  private room = INITIAL_ROWS;
  private absent: Uint8Array;
  private values: DataView;

  /** @param width bytes of a value */
  constructor(type: string, width: 1 | 2 | 4, nullable: 'nullable' | 'given') {
    this.isNullable = nullable === 'nullable';
    this.type = this.isNullable ? `Nullable(${type})` : type;
    this.width = width;
    this.absent = new Uint8Array(this.room).fill(1);
    this.values = new DataView(new ArrayBuffer(this.room * width));
  }

  // One method a width and no two classes: the same few lines for every column are what lets them run as machine code.

  uint8(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setUint8(row, value);
  }

  uint16(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setUint16(2 * row, value, true);
  }

  uint32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setUint32(4 * row, value, true);
  }

  int32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setInt32(4 * row, value, true);
  }

  float32(row: number, value: number | undefined): void {
    if (value === undefined) return;
    this.give(row);
    this.values.setFloat32(4 * row, value, true);
  }

  parts(rows: number): readonly Uint8Array[] {
    while (rows > this.room) this.grow();
    const values = new Uint8Array(this.values.buffer, 0, rows * this.width);
    return this.isNullable ? [this.absent.subarray(0, rows), values] : [values];
  }

  clear(): void {
    this.absent.fill(1);
    new Uint8Array(this.values.buffer).fill(0);
  }

  private give(row: number): void {
    while (row >= this.room) this.grow();
    this.absent[row] = 0;
  }

  private grow(): void {
    const { absent, values } = this;
    this.room *= 2;
    this.absent = new Uint8Array(this.room).fill(1);
    this.absent.set(absent);
    this.values = new DataView(new ArrayBuffer(this.room * this.width));
    new Uint8Array(this.values.buffer).set(new Uint8Array(values.buffer));
  }
}
