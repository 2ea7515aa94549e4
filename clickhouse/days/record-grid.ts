/** Records of one station, by a number that orders them: of days, counted from 1970-01-01; of months, from 1 BC. */
export type RecordRange = { readonly first: number; readonly end: number };

export type RecordPosition = { readonly station: string; readonly at: number };

/** Records that one statement reads: whole ranges of some stations, or a part of that of one. */
export type RecordWindow = RecordRange & {
  readonly stations: readonly string[];
  /** The last of them is the one before this record of the grid. */
  readonly endRow: number;
};

type StationRecords = RecordRange & {
  readonly station: string;
  readonly beginRow: number;
  readonly endRow: number;
};

/**
 * The records of a request before anything is read: station by station, each with those of its range, in the order of their
 * numbers or in its reverse. So the number of rows and the place of any row are known.
 */
export class RecordGrid {
  readonly size: number;
  readonly #stations: readonly StationRecords[];
  readonly #isDescending: boolean;

  constructor(ranges: ReadonlyMap<string, RecordRange>, isDescending = false) {
    let row = 0;
    this.#stations = [...ranges]
      .filter(([, { first, end }]) => first < end)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([station, { first, end }]) => {
        const beginRow = row;
        row += end - first;
        return { station, first, end, beginRow, endRow: row };
      });
    this.size = row;
    this.#isDescending = isDescending;
  }

  /** The number of the first row after a record, if one is given. The stations of an area can be others than before. */
  rowAfter(position: RecordPosition | undefined): number {
    if (position === undefined) return 0;
    const { station, at } = position;
    const found = this.#stations.find((each) => each.station >= station);
    if (found === undefined) return this.size;
    const { first, end, beginRow, endRow } = found;
    if (found.station !== station) return beginRow;
    const row = beginRow + (this.#isDescending ? end - at : at + 1 - first);
    return Math.min(Math.max(beginRow, row), endRow);
  }

  positionOf(row: number): RecordPosition {
    const { station, first, end, beginRow } = this.#stations[this.#stationOf(row)] as StationRecords;
    return { station, at: this.#isDescending ? end - 1 - (row - beginRow) : first + (row - beginRow) };
  }

  /** The rows `[firstRow, endRow)`, in windows of up to `most` rows. */
  *windows(firstRow: number, endRow: number, most: number): Generator<RecordWindow, undefined> {
    for (let row = firstRow; row < endRow; ) {
      const bound = Math.min(endRow, row + most);
      const n = this.#stationOf(row);
      const one = this.#stations[n] as StationRecords;
      let whole = n;
      while (row === one.beginRow && (this.#stations[whole]?.endRow ?? Number.POSITIVE_INFINITY) <= bound)
        whole += 1;
      const stations = this.#stations.slice(n, Math.max(whole, n + 1));
      const end = Math.min(bound, (stations.at(-1) as StationRecords).endRow);
      const numbers =
        stations.length === 1
          ? [this.positionOf(row).at, this.positionOf(end - 1).at]
          : stations.flatMap((each) => [each.first, each.end - 1]);
      yield {
        stations: stations.map(({ station }) => station),
        first: Math.min(...numbers),
        end: Math.max(...numbers) + 1,
        endRow: end,
      };
      row = end;
    }
  }

  #stationOf(row: number): number {
    return this.#stations.findLastIndex(({ beginRow }) => beginRow <= row);
  }
}
