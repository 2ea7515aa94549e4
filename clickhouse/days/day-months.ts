import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { type DayRun, dayNumber } from '../model/day.ts';
import { POINT_READ, planSettings, selectRow, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import { type Offset, secondsAt } from '../zones/zone-offsets.ts';
import { monthOfDay, timesOfMonth } from './local-month.ts';

/** Raise it with every change of the fields or rules of days: days computed by an older version do not count. */
export const DAYS_VERSION = 10;

const CLOSED = readStatement('days/closed_months');
const NEXT_VERSION = readStatement('days/next_version');

/** A month of a station, counted as `localMonth` does. */
export type StationMonth = { readonly station: string; readonly month: number };

export const keyOfMonth = ({ station, month }: StationMonth) => `${station} ${month}`;

/** The offsets of a month as a text: the first, then each that follows within the times of the month. */
export function clockOf(month: number, offsets: readonly Offset[]): string {
  const { from, to } = timesOfMonth(month, offsets);
  const later = offsets.filter((offset) => offset.from > from && offset.from < to);
  return [secondsAt(offsets, from), ...later.map((offset) => `${offset.from}:${offset.seconds}`)].join(' ');
}

/**
 * The months `[first, end)` of stations whose stored days equal their reports: a loader has closed them by the present rules and
 * by the clock of the station, and none has them open.
 */
export async function readClosedMonths(archive: Archive, clocks: readonly Clock[], { first, end }: DayRun) {
  const ofStations = new Map(clocks.flatMap((clock) => clock.stations.map((station) => [station, clock])));
  const rows = await selectRows<readonly [station: string, month: number, clock: string]>(
    archive,
    {
      query: CLOSED,
      params: { stations: [...ofStations.keys()], first, end, version: DAYS_VERSION },
      ofStations: true,
      settings: { ...POINT_READ, ...planSettings({}) },
    },
    'JSONCompactEachRow',
  );
  const ofRows = groupBy(rows, ([station]) => ofStations.get(station) as Clock);
  const closed = new Map<string, Set<number>>();
  for (const [{ offsets }, some] of ofRows) {
    const expected = Array.from({ length: end - first }, (_, n) => clockOf(first + n, offsets));
    for (const [station, month, clock] of some) {
      if (clock !== expected[month - first]) continue;
      const months = closed.get(station) ?? new Set();
      closed.set(station, months.add(month));
    }
  }
  return closed;
}

/** Days before and after a month in UTC in which reports can change it as a local month: two, and the greatest offset. */
const DAYS_BEYOND_MONTH = 3;
/** A month that ended fewer seconds ago is computed 48 hours from now or later: all writes that run now have ended by then. */
const ONGOING = 36 * 3600;
/** Seconds from the end of a month in UTC until it is computed: 72 hours in any zone. */
const CLOSES_AFTER = 84 * 3600;

/** The first month that is not to be computed yet. */
export function firstOpenMonth(now: number): number {
  return monthOfDay(dayNumber(now - CLOSES_AFTER));
}

/** The time of the server in seconds, and a version above those of all months and of the days of some stations. */
export function readNextVersion(archive: Archive, stations: readonly string[] = []) {
  const select = { query: NEXT_VERSION, params: { stations }, settings: POINT_READ };
  return selectRow<{ readonly time: number; readonly version: number }>(archive, select);
}

export type ReportKey = { readonly station: string; readonly observedAt: number };

export type MarkedWrite = ReturnType<DayMarks['begin']>;

/** Up to this number, a load's months are computed at its end even if it had few reports of each: it takes half a second. */
const FEW_MONTHS = 200;
/** From this number of reports of a month on, computing its days takes a tenth of the load's time. A day of all stations has 30. */
const MANY_REPORTS = 300;

/** The months that one loader has opened and not yet computed. */
export class DayMarks {
  readonly run: string;
  readonly #archive: Archive;
  readonly #opened = new Map<string, StationMonth>();
  readonly #writes = new Set<MonthsOfReports>();
  #reports = 0;
  #version = 0;

  constructor(archive: Archive, run: string) {
    this.#archive = archive;
    this.run = run;
  }

  /** Starts a write, whose months stay open until it is stored. */
  begin() {
    const write = new MonthsOfReports();
    this.#writes.add(write);
    return {
      add: (report: ReportKey): void => {
        write.add(report);
        this.#reports += 1;
      },
      /**
       * Opens the months that the reports so far can change. Call it before they are stored.
       *
       * @param months a report of each month that is written as a whole
       */
      open: (months: readonly ReportKey[] = []): Promise<void> => {
        for (const month of months) write.add(month);
        this.#reports += months.length * MANY_REPORTS;
        return this.#open(write);
      },
      /** Call it once the reports are stored. Without it the months stay open in this process. */
      end: (): void => void this.#writes.delete(write),
    };
  }

  /** Opens all months of a write with one insert, which its blocks would otherwise open one after another. */
  async openAll(reports: Iterable<ReportKey>): Promise<void> {
    const months = new MonthsOfReports();
    for (const report of reports) months.add(report);
    await this.#open(months);
  }

  /** Call it when all failed writes have been completed and nothing is being written. */
  endAll(): void {
    this.#writes.clear();
  }

  /** Another loader may believe that this one has ended, so this one opens its months again before it writes again. */
  forget(): void {
    this.#opened.clear();
  }

  /**
   * Takes the open months before `end` that no running write has; a later write opens them again. Many months with few reports
   * stay open, because other loads bring other days of them: a later loader computes them once.
   */
  take(end: number): readonly StationMonth[] {
    const months = [...this.#opened].filter(([, { month }]) => month < end);
    if (months.length > FEW_MONTHS && this.#reports < months.length * MANY_REPORTS) return [];
    this.#reports = 0;
    const taken = months.filter(([key]) => ![...this.#writes].some(({ all }) => all.has(key)));
    for (const [key] of taken) this.#opened.delete(key);
    return taken.map(([, month]) => month);
  }

  /** As `readNextVersion`, and above the versions of rows that this loader has not stored yet. */
  async nextVersion(stations: readonly string[] = []) {
    const next = await readNextVersion(this.#archive, stations);
    this.#version = Math.max(next.version, this.#version + 1);
    return { ...next, version: this.#version };
  }

  async #open(write: MonthsOfReports): Promise<void> {
    const opened = [...write.all].filter(([key]) => !this.#opened.has(key));
    if (opened.length === 0) return;
    const { time, version } = await this.nextVersion();
    const ongoing = monthOfDay(dayNumber(time - ONGOING));
    // A month that is not over needs no mark of this run, because this write will have ended when the month is computed.
    const rows = opened.map(([, { station, month }]) => ({
      station,
      month,
      run: month >= ongoing ? '' : this.run,
      isOpen: true,
      at: version,
    }));
    await this.#archive.insert({ table: 'day_months', rows });
    for (const [key, month] of opened) this.#opened.set(key, month);
  }
}

/** The months that reports can change: those of two days before and after each, in any zone. */
class MonthsOfReports {
  readonly all = new Map<string, StationMonth>();
  /** The UTC day of the last added report, and the stations whose reports of that day have been added. */
  #day = Number.NaN;
  readonly #stations = new Set<string>();

  add({ station, observedAt }: ReportKey): void {
    const day = dayNumber(observedAt);
    if (day !== this.#day) this.#stations.clear();
    this.#day = day;
    if (this.#stations.has(station)) return;
    this.#stations.add(station);
    for (const month of [monthOfDay(day - DAYS_BEYOND_MONTH), monthOfDay(day + DAYS_BEYOND_MONTH)])
      this.all.set(keyOfMonth({ station, month }), { station, month });
  }
}
