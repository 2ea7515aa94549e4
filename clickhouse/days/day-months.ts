import type { Archive } from '../archive.ts';
import { groupBy } from '../group-by.ts';
import { type DayRun, dayNumber } from '../model/day.ts';
import { POINT_READ, planSettings, selectRow, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import { type Offset, secondsAt } from '../zones/zone-offsets.ts';
import { monthOfDay, timesOfMonth } from './local-month.ts';

/** Raise it with every change of what days have: days computed by an older version do not count. */
export const DAYS_VERSION = 7;

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

/** Beyond a month in UTC, of the reports of local months: two days and the greatest offset. */
const DAYS_BEYOND_MONTH = 3;
/** Seconds after which no write goes on that has begun before: half of what passes until a month is computed. */
const ONGOING = 36 * 3600;
/** Seconds after its end in UTC from which a month is computed: 72 hours in any zone. */
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

/** The months of a load of few reports in each, which are computed all the same: half a second. */
const FEW_MONTHS = 200;
/** Reports of a month from which on its days take a tenth of the time of its load. A day of all stations has 30 of each. */
const MANY_REPORTS = 300;

/** The months that one loader has open. */
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

  /** A write whose months are open, until it is stored. */
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
      /** The reports are stored. Without it the months stay open in this process. */
      end: (): void => void this.#writes.delete(write),
    };
  }

  /** Opens months at once that blocks of a write open one after another. */
  async openAll(reports: Iterable<ReportKey>): Promise<void> {
    const months = new MonthsOfReports();
    for (const report of reports) months.add(report);
    await this.#open(months);
  }

  /** Writes that have failed are complete, and nothing else is being written. */
  endAll(): void {
    this.#writes.clear();
  }

  /** Another loader may take this one for ended: it opens its months again before it writes again. */
  forget(): void {
    this.#opened.clear();
  }

  /**
   * Takes the open months before one that no write goes on in: a later write opens them again. Many months with few reports
   * stay open: loads of other days of them come before or after, and a later loader computes them once.
   */
  take(end: number): readonly StationMonth[] {
    const months = [...this.#opened].filter(([, { month }]) => month < end);
    if (months.length > FEW_MONTHS && this.#reports < months.length * MANY_REPORTS) return [];
    this.#reports = 0;
    const taken = months.filter(([key]) => ![...this.#writes].some(({ all }) => all.has(key)));
    for (const [key] of taken) this.#opened.delete(key);
    return taken.map(([, month]) => month);
  }

  /** As `readNextVersion`, and above those of rows that this loader has yet to store. */
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
    // A month that lasts needs no mark of this run: by the time that it is computed this write has ended.
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
  /** The day of the newest report in UTC, and the stations that have had one of it since another day. */
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
