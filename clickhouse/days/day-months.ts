import type { Archive } from '../archive.ts';
import { SECONDS_PER_DAY } from '../model/day.ts';
import { readServerTime } from '../server-time.ts';
import { POINT_READ, selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';
import type { Clock } from '../zones/clocks.ts';
import { type Offset, secondsAt } from '../zones/zone-offsets.ts';
import { localMonth, monthOfDay, timesOfMonth } from './local-month.ts';

/** Raise it with every change of what days have: days computed by an older version do not count. */
export const DAYS_VERSION = 2;

const CLOSED = readStatement('days/closed_months');

/** A month of a station, counted as `localMonth` does. */
export type StationMonth = { readonly station: string; readonly month: number };

/** The offsets of a month as a text: the first, then each that follows within the times of the month. */
export function clockOf(month: number, offsets: readonly Offset[]): string {
  const { from, to } = timesOfMonth(localMonth(month, offsets));
  const later = offsets.filter((offset) => offset.from > from && offset.from < to);
  return [secondsAt(offsets, from), ...later.map((offset) => `${offset.from}:${offset.seconds}`)].join(' ');
}

/**
 * The months `[first, end)` of stations whose stored days equal their reports: a loader has closed them by the present rules and
 * by the clock of the station, and none has them open.
 */
export async function readClosedMonths(
  archive: Archive,
  clocks: readonly Clock[],
  { first, end }: { readonly first: number; readonly end: number },
): Promise<ReadonlyMap<string, ReadonlySet<number>>> {
  const stations = clocks.flatMap((clock) => clock.stations);
  const rows = await selectRows<{ station: string; clock: string; months: readonly number[] }>(archive, {
    query: CLOSED,
    params: { stations, first, end, version: DAYS_VERSION },
    ofStations: true,
    settings: POINT_READ,
  });
  const clockOfStation = new Map(
    clocks.flatMap((clock) => clock.stations.map((station) => [station, clock])),
  );
  const texts = new Map(clocks.map((clock) => [clock, new Map<number, string>()]));
  const closed = new Map<string, Set<number>>();
  for (const { station, clock: text, months } of rows) {
    const clock = clockOfStation.get(station) as Clock;
    const known = texts.get(clock) as Map<number, string>;
    const isOfClock = (month: number) => {
      const expected = known.get(month) ?? clockOf(month, clock.offsets);
      known.set(month, expected);
      return expected === text;
    };
    const ofStation = closed.get(station) ?? new Set();
    closed.set(station, ofStation);
    for (const month of months) if (isOfClock(month)) ofStation.add(month);
  }
  return closed;
}

/** Beyond a month in UTC, of the reports of local months: two days and the greatest offset. */
const MARGIN = 3 * SECONDS_PER_DAY;
/** Seconds after which no write goes on that has begun before: half of what passes until a month is computed. */
const ONGOING = 36 * 3600;
/** Seconds after its end in UTC from which a month is computed: 72 hours in any zone. */
const CLOSES_AFTER = 84 * 3600;

const monthOfTime = (time: number) => monthOfDay(Math.floor(time / SECONDS_PER_DAY));

/** The first month that is not to be computed yet. */
export function firstOpenMonth(now: number): number {
  return monthOfTime(now - CLOSES_AFTER);
}

type ReportKey = { readonly station: string; readonly observedAt: number };

/** A write whose months are open, until it is stored. */
export type MarkedWrite = {
  /** Opens the months that reports can change. Call it before they are stored. */
  readonly open: (reports: Iterable<ReportKey>) => Promise<void>;
  /** The reports are stored. Without it the months stay open in this process. */
  readonly end: () => void;
};

/** The months that one loader has open. */
export class DayMarks {
  readonly run: string;
  readonly #archive: Archive;
  /** Months with an open mark, by station. */
  readonly #opened = new Map<string, Set<number>>();
  readonly #writes = new Set<ReadonlyMap<string, ReadonlySet<number>>>();
  #serverTime: Promise<{ readonly time: number; readonly atMs: number }> | undefined;

  constructor(archive: Archive, run: string) {
    this.#archive = archive;
    this.run = run;
  }

  begin(): MarkedWrite {
    const write = new Map<string, Set<number>>();
    this.#writes.add(write);
    return {
      open: async (reports) => {
        const touched = monthsOf(reports);
        for (const [station, months] of touched) for (const month of months) add(write, station, month);
        await this.#open(touched);
      },
      end: () => void this.#writes.delete(write),
    };
  }

  /** Opens months at once that blocks of a write open one after another. */
  async openAll(reports: Iterable<ReportKey>): Promise<void> {
    await this.#open(monthsOf(reports));
  }

  /** Writes that have failed are complete, and nothing else is being written. */
  endAll(): void {
    this.#writes.clear();
  }

  /** Another loader may take this one for ended: it opens its months again before it writes again. */
  forget(): void {
    this.#opened.clear();
  }

  /** Takes the open months that no write goes on in: a later one opens them again. */
  take(): readonly StationMonth[] {
    const taken: StationMonth[] = [];
    for (const [station, months] of this.#opened)
      for (const month of months) {
        if ([...this.#writes].some((write) => write.get(station)?.has(month))) continue;
        months.delete(month);
        taken.push({ station, month });
      }
    return taken;
  }

  async #open(touched: ReadonlyMap<string, ReadonlySet<number>>): Promise<void> {
    const opened = [...touched].flatMap(([station, months]) =>
      [...months]
        .filter((month) => !this.#opened.get(station)?.has(month))
        .map((month) => ({ station, month })),
    );
    if (opened.length === 0) return;
    const ongoing = monthOfTime((await this.#now()) - ONGOING);
    // A month that lasts needs no mark of this run: by the time that it is computed this write has ended.
    const rows = opened.map(({ station, month }) => ({
      station,
      month,
      run: month >= ongoing ? '' : this.run,
      isOpen: true,
    }));
    await this.#archive.insert({ table: 'day_months', rows });
    for (const { station, month } of opened) add(this.#opened, station, month);
  }

  async #now(): Promise<number> {
    this.#serverTime ??= readServerTime(this.#archive).then((time) => ({ time, atMs: performance.now() }));
    const { time, atMs } = await this.#serverTime;
    return time + (performance.now() - atMs) / 1000;
  }
}

function add(months: Map<string, Set<number>>, station: string, month: number): void {
  const ofStation = months.get(station);
  if (ofStation === undefined) months.set(station, new Set([month]));
  else ofStation.add(month);
}

/** The months that reports can change: those of two days before and after them, in any zone. */
function monthsOf(reports: Iterable<ReportKey>): ReadonlyMap<string, ReadonlySet<number>> {
  const months = new Map<string, Set<number>>();
  let [station, from, to]: [string, number, number] = ['', 0, 0];
  for (const report of reports) {
    const { observedAt } = report;
    if (report.station === station && observedAt >= from && observedAt < to) continue;
    const [first, last] = [monthOfTime(observedAt - MARGIN), monthOfTime(observedAt + MARGIN)];
    for (const month of new Set([first, last])) add(months, report.station, month);
    // Until these are no longer its months.
    station = report.station;
    [from, to] = first === last ? [observedAt, startOf(last + 1) - MARGIN] : [observedAt, observedAt + 1];
  }
  return months;
}

function startOf(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12) / 1000;
}
