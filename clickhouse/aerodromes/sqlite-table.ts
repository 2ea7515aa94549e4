import { readSync } from 'node:fs';

/** A value of a row: no table that is read here has a BLOB. */
type SqliteValue = string | number | null;

const [INTERIOR, LEAF] = [0x05, 0x0d];
const HEADER_BYTES = 100;

/**
 * Reads the rows of a table in the order of their rowids (https://www.sqlite.org/fileformat2.html).
 *
 * @param file a descriptor. It is read one page at a time, because the whole file would take more memory than its rows
 * @param columns their places in the definition of the table, from 0, in ascending order; an `INTEGER PRIMARY KEY` is the rowid
 * @param put is called for each row, with a function that reads the nth of the columns
 * @throws if the file is damaged, its text is not UTF-8, or a row is larger than a page
 */
export function readSqliteTable(
  file: number,
  table: string,
  columns: readonly number[],
  put: (rowid: number, read: (n: number) => SqliteValue) => void,
): void {
  /** The page that was read last, and where its next varint begins. */
  let [bytes, next] = [Buffer.alloc(HEADER_BYTES), 0];
  readSync(file, bytes, 0, HEADER_BYTES, 0);
  if (bytes.toString('latin1', 0, 15) !== 'SQLite format 3') throw new Error('not an SQLite file');
  const pageSize = bytes.readUInt16BE(16) === 1 ? 65_536 : bytes.readUInt16BE(16);
  if (bytes.readUInt32BE(56) !== 1) throw new Error('the text of the SQLite file is not UTF-8');
  const largest = pageSize - bytes.readUInt8(20) - 35;

  const found = { at: new Float64Array(columns.length + 3), serial: new Float64Array(columns.length + 3) };
  const read = (n: number) => readSqliteValue(bytes, found.at[n] as number, found.serial[n] as number);

  function readPage(page: number, places: readonly number[], putRow: typeof put): void {
    const own = Buffer.alloc(pageSize);
    readSync(file, own, 0, pageSize, (page - 1) * pageSize);
    bytes = own;
    const header = page === 1 ? HEADER_BYTES : 0;
    const type = own.readUInt8(header);
    const cells = own.readUInt16BE(header + 3);
    if (type !== INTERIOR && type !== LEAF) throw new Error(`page ${page} of the SQLite file is no table`);
    for (let cell = 0; cell < cells; cell += 1) {
      next = own.readUInt16BE(header + (type === LEAF ? 8 : 12) + 2 * cell);
      if (type === INTERIOR) readPage(own.readUInt32BE(next), places, putRow);
      else {
        const [size, rowid] = [readVarint(), readVarint()];
        if (size > largest) throw new Error(`row ${rowid} of the SQLite file is larger than a page`);
        findValues(places);
        putRow(rowid, read);
      }
    }
    if (type === INTERIOR) readPage(own.readUInt32BE(header + 8), places, putRow);
  }

  function findValues(places: readonly number[]): void {
    // The length of the header counts its own bytes.
    const end = next + readVarint();
    let [at, n] = [end, 0];
    for (let column = 0; n < places.length; column += 1) {
      // A row that was written before a column was added has no value for it.
      const serial = next < end ? readVarint() : 0;
      if (column === places[n]) {
        found.at[n] = at;
        found.serial[n] = serial;
        n += 1;
      }
      at += bytesOfSerial(serial);
    }
  }

  function readVarint(): number {
    let value = 0;
    for (let byte = 0; byte < 8; byte += 1) {
      const bits = bytes[next++] as number;
      value = value * 128 + (bits & 127);
      if (bits < 128) return value;
    }
    return value * 256 + bytes.readUInt8(next++);
  }

  let firstPage: SqliteValue | undefined;
  // The table of tables: type, name, name of the table, first page.
  readPage(1, [0, 1, 3], (_, value) => {
    if (value(0) === 'table' && value(1) === table) firstPage = value(2);
  });
  if (firstPage === undefined) throw new Error(`the SQLite file has no table ${table}`);
  readPage(Number(firstPage), columns, put);
}

/** Bytes of a value by its serial type: NULL, integers, a float, the numbers 0 and 1. Texts have types from 12 on. */
const BYTES_OF_SERIAL = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function readSqliteValue(file: Buffer, at: number, serial: number): SqliteValue {
  if (serial === 0) return null;
  if (serial === 7) return file.readDoubleBE(at);
  if (serial === 8 || serial === 9) return serial - 8;
  const bytes = bytesOfSerial(serial);
  if (serial >= 12) return file.toString('utf8', at, at + bytes);
  return bytes === 8 ? Number(file.readBigInt64BE(at)) : file.readIntBE(at, bytes);
}

function bytesOfSerial(serial: number): number {
  return serial < 12 ? (BYTES_OF_SERIAL[serial] ?? 0) : (serial - 12) >> 1;
}
