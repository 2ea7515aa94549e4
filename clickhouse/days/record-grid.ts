/** Records of one station, by a number that orders them: of days, counted from 1970-01-01; of months, from 1 BC. */
export type RecordRange = { readonly first: number; readonly end: number };

/** A record, by its station and its number. */
export type RecordPosition = { readonly station: string; readonly at: number };

/** Records that one statement reads: whole ranges of some stations, or a part of that of one. */
export type RecordWindow = RecordRange & {
  readonly stations: readonly string[];
  /** The last of them is the one before this record of the grid. */
  readonly endRow: number;
};

/**
 * The records of a request before anything is read: station by station, each with those of its range, in the order of their
 * numbers or in its reverse. So the number of rows and the place of any row are known.
 */
export class RecordGrid {
  readonly size: number;
  readonly #stations: readonly string[];
  readonly #ranges: readonly RecordRange[];
  /** The row at which the records of each station begin, and their end. */
  readonly #begins: readonly number[];
  readonly #isDescending: boolean;

  constructor(ranges: ReadonlyMap<string, RecordRange>, isDescending = false) {
    const entries = [...ranges].sort(([one], [other]) => (one < other ? -1 : 1));
    this.#stations = entries.map(([station]) => station);
    this.#ranges = entries.map(([, range]) => range);
    let size = 0;
    const begins = this.#ranges.map(({ first, end }) => {
      size += Math.max(0, end - first);
      return size;
    });
    this.#begins = [0, ...begins];
    this.size = size;
    this.#isDescending = isDescending;
  }

  /** The number of the first row after a record. The stations of an area can be others than those of the page before. */
  rowAfter({ station, at }: RecordPosition): number {
    const n = this.#stations.findLastIndex((each) => each <= station);
    if (n < 0) return 0;
    if (this.#stations[n] !== station) return this.#begins[n + 1] as number;
    const { first, end } = this.#ranges[n] as RecordRange;
    const within = this.#isDescending ? end - at : at + 1 - first;
    return (this.#begins[n] as number) + Math.min(Math.max(0, within), Math.max(0, end - first));
  }

  positionOf(row: number): RecordPosition {
    const n = this.#stationOf(row);
    const { first, end } = this.#ranges[n] as RecordRange;
    const within = row - (this.#begins[n] as number);
    const at = this.#isDescending ? end - 1 - within : first + within;
    return { station: this.#stations[n] as string, at };
  }

  /** The rows from one to before another, in windows of up to `most` rows. */
  *windows(firstRow: number, endRow: number, most: number): Generator<RecordWindow, undefined> {
    for (let row = firstRow; row < endRow; ) {
      const n = this.#stationOf(row);
      const whole = this.#wholeStations(n, row, Math.min(endRow, row + most));
      const end =
        whole > n
          ? (this.#begins[whole] as number)
          : Math.min(endRow, row + most, this.#begins[n + 1] as number);
      yield { ...this.#rangeOf(n, Math.max(whole, n + 1), row, end), endRow: end };
      row = end;
    }
  }

  #rangeOf(n: number, endStation: number, row: number, end: number) {
    const stations = this.#stations.slice(n, endStation);
    if (stations.length > 1) {
      const ranges = this.#ranges.slice(n, endStation);
      return {
        stations,
        first: Math.min(...ranges.map(({ first }) => first)),
        end: Math.max(...ranges.map((range) => range.end)),
      };
    }
    const [one, other] = [this.positionOf(row).at, this.positionOf(end - 1).at];
    return { stations, first: Math.min(one, other), end: Math.max(one, other) + 1 };
  }

  /** The station after those from `n` on that lie in the rows up to an end; `n` where none does. */
  #wholeStations(n: number, row: number, end: number): number {
    if (row !== this.#begins[n]) return n;
    let next = n;
    while (next < this.#stations.length && (this.#begins[next + 1] as number) <= end) next += 1;
    return next;
  }

  #stationOf(row: number): number {
    let [low, high] = [0, this.#stations.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#begins[middle] as number) <= row) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
