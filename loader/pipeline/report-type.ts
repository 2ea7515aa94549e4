import { yearOf } from '../../clickhouse/model/day.ts';
import type { ReportType, Source } from '../../clickhouse/model/report.ts';

const MINUTES = 60;
const ROUTINE_SHARE = 10;

/** Sources whose own format says METAR or SPECI beside the text, so that a type of theirs is never a guess. */
export const TYPED_SOURCES: readonly Source[] = ['ncei', 'madis', 'awc'];

/** The type that the text itself begins with. */
export function keywordOf(raw: string): ReportType | undefined {
  if (raw.startsWith('METAR ')) return 'METAR';
  return raw.startsWith('SPECI ') ? 'SPECI' : undefined;
}

/** The type of an archived report where its source sent it; `undefined` where it was inferred. */
export function sentTypeOf(archived: {
  readonly raw: string;
  readonly source: Source;
  readonly type: ReportType;
}): ReportType | undefined {
  return keywordOf(archived.raw) ?? (TYPED_SOURCES.includes(archived.source) ? archived.type : undefined);
}

/** Whether a report of a station at a time is a METAR. */
export type TypeInference = (station: string, observedAt: number) => boolean;

/**
 * How many reports stations made at each minute of the hour, over a calendar year. A station files its METAR at the
 * same minutes all year, so a report without keyword at any other minute is a SPECI: right for 99.3 to 99.9 % of
 * reports whose keyword was hidden.
 */
export class MinuteHistogram {
  private readonly histograms = new StationYears(() => new Uint32Array(MINUTES));

  /** A report known to be a SPECI is left out, for it tells nothing of those minutes. */
  add(
    {
      station,
      observedAt,
      sentType,
    }: { station: string; observedAt: number; sentType?: ReportType | undefined },
    reports = 1,
  ): void {
    if (sentType === 'SPECI') return;
    const histogram = this.histograms.of(station, yearOf(observedAt));
    const minute = minuteOf(observedAt);
    histogram[minute] = (histogram[minute] ?? 0) + reports;
  }

  /**
   * Whether a report at this time is a METAR, as things stand now: a minute is routine when it holds at least a
   * tenth of the reports of the most frequent minute.
   */
  judge(): TypeInference {
    const routines = new StationYears((station, year) => routineOf(this.histograms.of(station, year)));
    return (station, observedAt) => routines.of(station, yearOf(observedAt))[minuteOf(observedAt)] === 1;
  }
}

/** Something of each station's calendar year, made when it is first asked for. */
class StationYears<T> {
  private readonly stations = new Map<string, Map<number, T>>();
  private readonly make: (station: string, year: number) => T;

  constructor(make: (station: string, year: number) => T) {
    this.make = make;
  }

  of(station: string, year: number): T {
    let years = this.stations.get(station);
    if (years === undefined) {
      years = new Map();
      this.stations.set(station, years);
    }
    let found = years.get(year);
    if (found === undefined) {
      found = this.make(station, year);
      years.set(year, found);
    }
    return found;
  }
}

/** 1 for each minute of the hour that is routine, else 0. */
function routineOf(histogram: Uint32Array): Uint8Array {
  let most = 0;
  for (const reports of histogram) if (reports > most) most = reports;
  const least = Math.max(1, most / ROUTINE_SHARE);
  return Uint8Array.from(histogram, (reports) => (reports >= least ? 1 : 0));
}

export function minuteOf(observedAt: number): number {
  return Math.floor(observedAt / 60) % MINUTES;
}
