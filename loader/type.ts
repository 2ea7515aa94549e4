import { yearOf } from '../clickhouse/day.ts';
import type { ReportType, Source } from '../clickhouse/report.ts';

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
export type Judge = (station: string, observedAt: number) => boolean;

/**
 * How many reports stations made at each minute of the hour, over a calendar year. A station files its METAR at the
 * same minutes all year, so a report without keyword at any other minute is a SPECI: right for 99.3 to 99.9 % of
 * reports whose keyword was hidden.
 */
export class Minutes {
  private readonly histograms = new Map<string, Uint32Array>();

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
    const key = stationYear(station, observedAt);
    const histogram = this.histograms.get(key) ?? new Uint32Array(MINUTES);
    this.histograms.set(key, histogram);
    const minute = minuteOf(observedAt);
    histogram[minute] = (histogram[minute] ?? 0) + reports;
  }

  /**
   * Whether a report at this time is a METAR, as things stand now: a minute is routine when it holds at least a
   * tenth of the reports of the most frequent minute.
   */
  judge(): Judge {
    const routines = new Map<string, ReadonlySet<number>>();
    return (station, observedAt) => {
      const key = stationYear(station, observedAt);
      const routine = routines.get(key) ?? routineOf(this.histograms.get(key));
      routines.set(key, routine);
      return routine.has(minuteOf(observedAt));
    };
  }
}

function routineOf(histogram: Uint32Array = new Uint32Array(MINUTES)): ReadonlySet<number> {
  const least = Math.max(1, Math.max(...histogram) / ROUTINE_SHARE);
  return new Set([...histogram.keys()].filter((minute) => (histogram[minute] ?? 0) >= least));
}

function stationYear(station: string, observedAt: number): string {
  return `${station} ${yearOf(observedAt)}`;
}

export function minuteOf(observedAt: number): number {
  return Math.floor(observedAt / 60) % MINUTES;
}
