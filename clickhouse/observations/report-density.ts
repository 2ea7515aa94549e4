import type { ClickHouseClient } from '@clickhouse/client';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';

/** Hours with a report, by twelfths of each calendar year. */
type HoursByYear = ReadonlyMap<number, readonly number[]>;

/** Hints age slowly, and a wrong one costs a query, never a record. */
const KEPT_FOR_MS = 10 * 60_000;
/** About 4 kB each. */
const STATIONS_KEPT = 5000;
/** A twelfth of a leap year. */
const TWELFTH_HOURS = 732;

const DENSITY = readSqlFile('report_density');

/**
 * Knows roughly how densely stations report, from the coverage view, so that a reader can ask for the stretch of time
 * that holds a page instead of the whole range.
 */
export class ReportDensity {
  readonly #client: ClickHouseClient;
  readonly #known = new Map<string, { readonly hours: HoursByYear; readonly until: number }>();

  constructor(client: ClickHouseClient) {
    this.#client = client;
  }

  /**
   * The end of the stretch from `from` on that should hold `reports` reports of these stations together; seconds since
   * 1970-01-01T00:00:00Z, never beyond `to`.
   */
  async endOfStretch(
    stations: readonly string[],
    { from, to }: { readonly from: number; readonly to: number },
    reports: number,
    signal: AbortSignal,
  ): Promise<number> {
    const known = await this.#hoursOf(stations, signal);
    let missing = reports;
    for (let at = from; at < to; ) {
      if (missing <= 0) return at;
      const { year, twelfth, end } = twelfthOf(at);
      const hours = known.reduce((sum, each) => sum + (each.get(year)?.[twelfth] ?? 0), 0);
      const perSecond = hours / (TWELFTH_HOURS * 3600);
      const enough = at + Math.ceil(missing / perSecond / 60) * 60;
      if (enough <= Math.min(end, to)) return enough;
      missing -= perSecond * (end - at);
      at = end;
    }
    return to;
  }

  async #hoursOf(stations: readonly string[], signal: AbortSignal): Promise<readonly HoursByYear[]> {
    const now = Date.now();
    const unknown = stations.filter((station) => (this.#known.get(station)?.until ?? 0) < now);
    if (unknown.length > 0) {
      if (this.#known.size + unknown.length > STATIONS_KEPT) this.#known.clear();
      const read = await this.#read(unknown, signal);
      for (const station of unknown)
        this.#known.set(station, { hours: read.get(station) ?? new Map(), until: now + KEPT_FOR_MS });
    }
    return stations.map((station) => this.#known.get(station)?.hours ?? new Map());
  }

  async #read(stations: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, HoursByYear>> {
    const result = await this.#client.query({
      query: DENSITY,
      query_params: { stations },
      format: 'JSONEachRow',
      clickhouse_settings: { ...POINT_READ, output_format_json_quote_64bit_integers: 0 },
      abort_signal: signal,
    });
    const byStation = new Map<string, Map<number, readonly number[]>>();
    for (const { station, year, hoursByTwelfth } of await result.json<Row>()) {
      const hours = byStation.get(station) ?? new Map<number, readonly number[]>();
      byStation.set(station, hours.set(year, hoursByTwelfth));
    }
    return byStation;
  }
}

type Row = { station: string; year: number; hoursByTwelfth: readonly number[] };

/** Which twelfth of which year a time lies in, and where it ends; seconds since 1970-01-01T00:00:00Z. */
function twelfthOf(at: number): { readonly year: number; readonly twelfth: number; readonly end: number } {
  const year = new Date(at * 1000).getUTCFullYear();
  const newYear = Date.UTC(year, 0) / 1000;
  const twelfth = Math.floor((at - newYear) / (TWELFTH_HOURS * 3600));
  const end = Math.min(newYear + (twelfth + 1) * TWELFTH_HOURS * 3600, Date.UTC(year + 1, 0) / 1000);
  return { year, twelfth, end };
}
