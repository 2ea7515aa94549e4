import { yearOf } from '../../clickhouse/model/day.ts';
import type { Report, ReportType, Source } from '../../clickhouse/model/report.ts';
import { keywordOf } from '../sources/format.ts';
import { TYPED_SOURCES } from '../sources/registry.ts';

const MINUTES = 60;
/** A minute is routine when it has at least a tenth of the reports of the most frequent minute. */
const ROUTINE_SHARE = 10;

/** The type of a stored report if its source sent it; `undefined` if it was inferred. */
export function sentTypeOf({ raw, source, type }: Pick<Report, 'raw' | 'source' | 'type'>) {
  return keywordOf(raw) ?? (TYPED.has(source) ? type : undefined);
}

const TYPED: ReadonlySet<Source> = new Set(TYPED_SOURCES);

/** Whether a report of a station at a time is a METAR. */
export type TypeInference = (station: string, observedAt: number) => boolean;

/**
 * Counts the reports of each station at each minute of the hour, by calendar year. A station sends its METARs at the
 * same minutes all year, so a report without keyword at any other minute is a SPECI: this is right for 99.3 to 99.9 % of
 * the reports whose keyword was removed for the test.
 */
export class MinuteHistogram {
  private readonly countsOf = byStationYear(() => new Uint32Array(MINUTES));

  /** A report sent as SPECI is not counted, because it says nothing about the minutes of METARs. */
  add(report: { station: string; observedAt: number; sentType?: ReportType | undefined }, reports = 1): void {
    const { station, observedAt, sentType } = report;
    if (sentType === 'SPECI') return;
    const counts = this.countsOf(station, yearOf(observedAt));
    const minute = minuteOf(observedAt);
    counts[minute] = (counts[minute] ?? 0) + reports;
  }

  /** Infers types from the current counts; reports added later do not affect years already read. */
  inference(): TypeInference {
    const routineOf = byStationYear((station, year) => routineMinutes(this.countsOf(station, year)));
    return (station, observedAt) => routineOf(station, yearOf(observedAt))[minuteOf(observedAt)] === 1;
  }
}

/** One value for each station and calendar year, made when it is first read. */
function byStationYear<T>(make: (station: string, year: number) => T): (station: string, year: number) => T {
  const stations = new Map<string, Map<number, T>>();
  return (station, year) => {
    const years = stations.get(station) ?? new Map<number, T>();
    const known = years.get(year);
    if (known !== undefined) return known;
    const value = make(station, year);
    stations.set(station, years.set(year, value));
    return value;
  };
}

/** 1 for each minute of the hour that is routine, else 0. */
function routineMinutes(counts: Uint32Array): Uint8Array {
  let most = 0;
  for (const reports of counts) if (reports > most) most = reports;
  const least = Math.max(1, most / ROUTINE_SHARE);
  return Uint8Array.from(counts, (reports) => (reports >= least ? 1 : 0));
}

function minuteOf(observedAt: number): number {
  return Math.floor(observedAt / 60) % MINUTES;
}
