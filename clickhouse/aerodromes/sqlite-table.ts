/** A value of a row: no table that is read here has a BLOB. */
export type SqliteValue = string | number | null;

const [INTERIOR, LEAF] = [0x05, 0x0d];
const HEADER_BYTES = 100;

/** A row of a table: the values of the columns that were asked for. */
type Row = { readonly rowid: number; readonly values: readonly SqliteValue[] };

/**
 * The rows of a table of an SQLite file, in the order of their rowids (https://www.sqlite.org/fileformat2.html).
 *
 * @param columns their places in the definition of the table, from 0, in ascending order; an `INTEGER PRIMARY KEY` is the rowid
 *
 * Throws where the file is damaged, or has what files of this package do not have: a text other than UTF-8, or rows larger than
 * a page.
 */
export function* readSqliteTable(file: Buffer, table: string, columns: readonly number[]): Generator<Row> {
  if (file.toString('latin1', 0, 15) !== 'SQLite format 3') throw new Error('not an SQLite file');
  const pageSize = file.readUInt16BE(16) === 1 ? 65_536 : file.readUInt16BE(16);
  if (file.readUInt32BE(56) !== 1) throw new Error('the text of the SQLite file is not UTF-8');
  const largest = pageSize - file.readUInt8(20) - 35;

  function* rowsOf(page: number, places: readonly number[]): Generator<Row> {
    const start = (page - 1) * pageSize;
    const header = start + (page === 1 ? HEADER_BYTES : 0);
    const type = file.readUInt8(header);
    const cells = file.readUInt16BE(header + 3);
    if (type !== INTERIOR && type !== LEAF) throw new Error(`page ${page} of the SQLite file is no table`);
    for (let cell = 0; cell < cells; cell += 1) {
      const at = start + file.readUInt16BE(header + (type === LEAF ? 8 : 12) + 2 * cell);
      if (type === INTERIOR) yield* rowsOf(file.readUInt32BE(at), places);
      else {
        const [size, afterSize] = readVarint(file, at);
        const [rowid, record] = readVarint(file, afterSize);
        if (size > largest) throw new Error(`row ${rowid} of the SQLite file is larger than a page`);
        yield { rowid, values: readRecord(file, record, places) };
      }
    }
    if (type === INTERIOR) yield* rowsOf(file.readUInt32BE(header + 8), places);
  }

  // The table of tables: type, name, name of the table, first page.
  for (const { values } of rowsOf(1, [0, 1, 3])) {
    const [type, name, firstPage] = values;
    if (type === 'table' && name === table) return yield* rowsOf(Number(firstPage), columns);
  }
  throw new Error(`the SQLite file has no table ${table}`);
}

/** @returns the number, and the position after it */
function readVarint(file: Buffer, at: number): readonly [value: number, next: number] {
  let value = 0;
  for (let byte = 0; byte < 8; byte += 1) {
    const bits = file.readUInt8(at + byte);
    value = value * 128 + (bits & 127);
    if (bits < 128) return [value, at + byte + 1];
  }
  return [value * 256 + file.readUInt8(at + 8), at + 9];
}

/** By serial type: NULL, integers, a float, and the numbers 0 and 1 without bytes; from 12 on texts. */
const BYTES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function readRecord(file: Buffer, record: number, columns: readonly number[]): readonly SqliteValue[] {
  const [headerSize, firstType] = readVarint(file, record);
  const values: SqliteValue[] = [];
  let at = record + headerSize;
  for (let [type, column] = [firstType, 0]; type < record + headerSize; column += 1) {
    const [serial, next] = readVarint(file, type);
    if (column === columns[values.length]) values.push(readValue(file, at, serial));
    at += bytesOf(serial);
    type = next;
  }
  return values;
}

function readValue(file: Buffer, at: number, serial: number): SqliteValue {
  if (serial === 0) return null;
  if (serial === 7) return file.readDoubleBE(at);
  if (serial === 8 || serial === 9) return serial - 8;
  const bytes = bytesOf(serial);
  if (serial >= 12) return file.toString('utf8', at, at + bytes);
  return bytes === 8 ? Number(file.readBigInt64BE(at)) : file.readIntBE(at, bytes);
}

function bytesOf(serial: number): number {
  return serial < 12 ? (BYTES[serial] ?? 0) : (serial - 12) >> 1;
}
