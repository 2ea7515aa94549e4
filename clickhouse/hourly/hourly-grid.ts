import { clampToArchive, NO_TIME } from '../model/time-window.ts';

/** A row of the grid: a nominal hour (seconds since 1970-01-01T00:00:00Z) of a station. */
export type HourlyPosition = { readonly hour: number; readonly station: string };

/** Consecutive rows of the grid. */
export type GridPart = { readonly firstRow: number; readonly rows: number };

const HOUR = 3600;

/**
 * The rows of an hourly series before anything is read: each nominal hour of a range, and in each hour each station by
 * code (D46). Positions are numbers, so the size of any part is known.
 */
export class HourlyGrid {
  readonly stations: readonly string[];
  readonly firstHour: number;
  readonly size: number;

  /** @param range seconds since 1970-01-01T00:00:00Z, `[from, to)` */
  constructor(stations: readonly string[], range: { readonly from: number; readonly to: number }) {
    const { from, to } = clampToArchive(range) ?? NO_TIME;
    const [first, end] = [Math.ceil(from / HOUR), Math.ceil(to / HOUR)];
    this.stations = stations.toSorted();
    this.firstHour = first * HOUR;
    this.size = (end - first) * stations.length;
  }

  /** The number of a row; `undefined` if the grid has no such row. */
  numberOf({ hour, station }: HourlyPosition): number | undefined {
    const column = this.stations.indexOf(station);
    const number = ((hour - this.firstHour) / HOUR) * this.stations.length + column;
    return column >= 0 && Number.isInteger(number) && number >= 0 && number < this.size ? number : undefined;
  }

  positionOf(number: number): HourlyPosition {
    const { stations, firstHour } = this;
    const hour = firstHour + Math.floor(number / stations.length) * HOUR;
    return { hour, station: stations[number % stations.length] as string };
  }

  /** Up to this many rows after a position, or from the start. */
  partAfter(after: HourlyPosition | undefined, most: number): GridPart {
    const firstRow = after === undefined ? 0 : (this.numberOf(after) ?? this.size) + 1;
    return { firstRow, rows: Math.max(0, Math.min(most, this.size - firstRow)) };
  }
}
