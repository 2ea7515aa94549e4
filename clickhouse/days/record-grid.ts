import type { Grid, GridWindow } from '../grid-rows.ts';
import type { DayRun } from '../model/day.ts';

/** Records of one station, by a number that orders them: of days, counted from 1970-01-01; of months, from 1 BC. */
export type RecordRange = DayRun;

export type RecordPosition = { readonly station: string; readonly at: number };

/** Records that one statement reads: whole ranges of some stations, or a part of that of one. */
export type RecordWindow = RecordRange & { readonly stations: readonly string[] };

type StationRecords = RecordRange & {
  readonly station: string;
  readonly beginRow: number;
  readonly endRow: number;
};

/**
 * The records of a request before anything is read: station by station, each with those of its range, in the order of their
 * numbers or in its reverse. So the number of rows and the place of any row are known.
 */
export class RecordGrid implements Grid<RecordPosition> {
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

  *windows({ firstRow, endRow }: GridWindow, most: number): Generator<GridWindow, undefined> {
    for (let row = firstRow; row < endRow; ) {
      const bound = Math.min(endRow, row + most);
      let n = this.#stationOf(row);
      const { beginRow } = this.#stations[n] as StationRecords;
      while (row === beginRow && (this.#stations[n + 1]?.endRow ?? Number.POSITIVE_INFINITY) <= bound) n += 1;
      const end = Math.min(bound, (this.#stations[n] as StationRecords).endRow);
      yield { firstRow: row, endRow: end };
      row = end;
    }
  }

  recordsOf({ firstRow, endRow }: GridWindow): RecordWindow {
    if (firstRow === endRow) return { stations: [], first: 0, end: 0 };
    const stations = this.#stations.slice(this.#stationOf(firstRow), this.#stationOf(endRow - 1) + 1);
    const numbers =
      stations.length === 1
        ? [firstRow, endRow - 1].map((row) => this.positionOf(row).at)
        : stations.flatMap(({ first, end }) => [first, end - 1]);
    return {
      stations: stations.map(({ station }) => station),
      first: Math.min(...numbers),
      end: Math.max(...numbers) + 1,
    };
  }

  #stationOf(row: number): number {
    return this.#stations.findLastIndex(({ beginRow }) => beginRow <= row);
  }
}
