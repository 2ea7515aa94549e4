import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import type { TimeWindow } from '../model/time-window.ts';
import { POINT_READ } from '../query-settings.ts';
import { selectRows } from '../select.ts';
import { readSqlFile } from '../sql-file.ts';

/** Hours with a report, by twelfths of each calendar year. */
type HoursByYear = ReadonlyMap<number, readonly number[]>;

/** Estimates age slowly, and a wrong one costs a statement, never a record. */
const TTL_MS = 10 * 60_000;
/** About 4 kB each. */
const MAX_STATIONS = 5000;
/** A twelfth of a leap year. */
const TWELFTH_HOURS = 732;

const REPORT_DENSITY = readSqlFile('report_density');

/**
 * Estimates from the coverage view how long a time window has to be to hold a page, so that no reader asks for a whole
 * range.
 */
export class ReportDensity {
  readonly #client: ClickHouseClient;
  readonly #hours = new LRUCache<string, HoursByYear>({ max: MAX_STATIONS, ttl: TTL_MS });

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /**
   * The end of the window from `from` on that should hold `reports` reports of these stations together; seconds since
   * 1970-01-01T00:00:00Z, later than `from` and never beyond `to`.
   */
  async windowEnd(
    stations: readonly string[],
    { from, to }: TimeWindow,
    reports: number,
    signal: AbortSignal,
  ): Promise<number> {
    const years = await this.#hoursOf(stations, signal);
    let missing = reports;
    for (let at = from; at < to; ) {
      if (missing <= 0) return at;
      const { year, twelfth, end } = twelfthOf(at);
      const hours = years.reduce((sum, each) => sum + (each.get(year)?.[twelfth] ?? 0), 0);
      const perSecond = hours / (TWELFTH_HOURS * 3600);
      const enough = at + Math.ceil(missing / perSecond / 60) * 60;
      if (enough <= Math.min(end, to)) return enough;
      missing -= perSecond * (end - at);
      at = end;
    }
    return to;
  }

  async #hoursOf(stations: readonly string[], signal: AbortSignal): Promise<readonly HoursByYear[]> {
    const cached = stations.map((station) => this.#hours.get(station));
    const unknown = stations.filter((_, n) => cached[n] === undefined);
    const read = unknown.length > 0 ? await this.#read(unknown, signal) : new Map<string, HoursByYear>();
    for (const station of unknown) this.#hours.set(station, read.get(station) ?? NO_HOURS);
    return stations.map((station, n) => cached[n] ?? read.get(station) ?? NO_HOURS);
  }

  async #read(stations: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, HoursByYear>> {
    const rows = await selectRows<Row>(
      this.#client,
      { query: REPORT_DENSITY, params: { stations }, settings: POINT_READ },
      signal,
    );
    const byStation = new Map<string, Map<number, readonly number[]>>();
    for (const { station, year, hoursByTwelfth } of rows) {
      const years = byStation.get(station) ?? new Map<number, readonly number[]>();
      byStation.set(station, years.set(year, hoursByTwelfth));
    }
    return byStation;
  }
}

const NO_HOURS: HoursByYear = new Map();

type Row = {
  readonly station: string;
  readonly year: number;
  readonly hoursByTwelfth: readonly number[];
};

/** The twelfth of a year that contains a time, and the end of it; seconds since 1970-01-01T00:00:00Z. */
function twelfthOf(at: number): { readonly year: number; readonly twelfth: number; readonly end: number } {
  const year = new Date(at * 1000).getUTCFullYear();
  const newYear = Date.UTC(year, 0) / 1000;
  const twelfth = Math.floor((at - newYear) / (TWELFTH_HOURS * 3600));
  const end = Math.min(newYear + (twelfth + 1) * TWELFTH_HOURS * 3600, Date.UTC(year + 1, 0) / 1000);
  return { year, twelfth, end };
}
