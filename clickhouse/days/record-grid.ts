import type { GridWindow } from '../grid-rows.ts';
import type { DayRun } from '../model/day.ts';

/** Records of one station, by a number that orders them: of days, counted from 1970-01-01; of months, from 1 BC. */
export type RecordRange = DayRun;

export type RecordPosition = { readonly station: string; readonly at: number };

/** Records that one statement reads: whole ranges of some stations, or a part of that of one. */
export type RecordWindow = RecordRange & { readonly stations: readonly string[] };

/**
 * The records of a request before anything is read: station by station, each with those of its range, in the order of their
 * numbers or in its reverse. So the number of rows and the place of any row are known.
 */
export function recordGrid(ranges: ReadonlyMap<string, RecordRange>, isDescending = false) {
  let size = 0;
  const all = [...ranges]
    .filter(([, { first, end }]) => first < end)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([station, { first, end }]) => {
      const beginRow = size;
      size += end - first;
      return { station, first, end, beginRow, endRow: size };
    });
  const indexOf = (row: number) => all.findLastIndex(({ beginRow }) => beginRow <= row);
  const stationOf = (row: number) => all[indexOf(row)] as (typeof all)[number];
  const positionOf = (row: number): RecordPosition => {
    const { station, first, end, beginRow } = stationOf(row);
    return { station, at: isDescending ? end - 1 - (row - beginRow) : first + (row - beginRow) };
  };
  return {
    size,
    positionOf,
    rowAfter(position: RecordPosition | undefined): number {
      if (position === undefined) return 0;
      const { station, at } = position;
      const found = all.find((each) => each.station >= station);
      if (found === undefined) return size;
      const { first, end, beginRow, endRow } = found;
      if (found.station !== station) return beginRow;
      const row = beginRow + (isDescending ? end - at : at + 1 - first);
      return Math.min(Math.max(beginRow, row), endRow);
    },
    *windows({ firstRow, endRow }: GridWindow, most: number): Generator<GridWindow, undefined> {
      for (let row = firstRow; row < endRow; ) {
        const bound = Math.min(endRow, row + most);
        const { beginRow, endRow: endOfStation } = stationOf(row);
        const endOfWhole = all.findLast((each) => each.endRow <= bound)?.endRow ?? 0;
        const end = row === beginRow && endOfWhole > row ? endOfWhole : Math.min(bound, endOfStation);
        yield { firstRow: row, endRow: end };
        row = end;
      }
    },
    recordsOf({ firstRow, endRow }: GridWindow): RecordWindow {
      if (firstRow === endRow) return { stations: [], first: 0, end: 0 };
      const stations = all.slice(indexOf(firstRow), indexOf(endRow - 1) + 1);
      const numbers =
        stations.length === 1
          ? [firstRow, endRow - 1].map((row) => positionOf(row).at)
          : stations.flatMap(({ first, end }) => [first, end - 1]);
      return {
        stations: stations.map(({ station }) => station),
        first: Math.min(...numbers),
        end: Math.max(...numbers) + 1,
      };
    },
  };
}
