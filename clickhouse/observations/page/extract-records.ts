import { haveSameKey, isRetracted, rowAt } from './page-row.ts';
import { orderKeyFrom, type Records } from './records.ts';

const COMMA = 0x2c;

/** What the rows of one statement hold. */
export type Extract = {
  readonly records: Records;
  /** Whether the rows hold another record, which is not in `records`. */
  readonly isCut: boolean;
  readonly rows: number;
  /** The order key of the last row, `undefined` if there is none. */
  readonly lastKey: string | undefined;
};

/**
 * Extracts the first `count` records from printed rows, each report once and no retracted ones. It works in place on
 * the server's bytes: adjacent records stay where they are; only what follows an omitted row moves forward.
 */
export function extractRecords(printed: Buffer, count: number): Extract {
  const ends: number[] = [];
  let written = 0;
  let rows = 0;
  let isCut = false;
  let previous: number | undefined;
  for (let start = 0; start < printed.length; rows += 1) {
    const row = rowAt(printed, start);
    const isOlderVersion = previous !== undefined && haveSameKey(printed, previous, start);
    previous = start;
    if (!isOlderVersion && !isRetracted(printed, start)) {
      if (ends.length === count) {
        isCut = true;
        break;
      }
      previous = ends.length === 0 ? 0 : written + 1;
      if (previous !== row.start) printed.copyWithin(previous, row.start, row.end);
      written = previous + row.end - row.start;
      ends.push(written);
      // Where the record lies, its key can be read after the bytes of the row are overwritten.
      printed[written] = COMMA;
    }
    start = row.end + 1;
  }
  return {
    records: { bytes: printed.subarray(0, written), ends: new Uint32Array(ends), count: ends.length },
    isCut,
    rows,
    lastKey: previous === undefined ? undefined : orderKeyFrom(printed, previous),
  };
}
