import type { ClickHouseClient } from '@clickhouse/client';
import { type Day, yearOf } from '../model/day.ts';
import type { Source } from '../model/report.ts';
import { readSqlFile } from '../sql-file.ts';

/** What a loader has fetched whole: `[firstDay, endDay)`, done up to `doneDay` and provisional from there on (D13). */
export type SliceRecord = {
  readonly source: Source;
  /** ICAO code, or `*` for every station that the source lists. */
  readonly station: string;
  readonly firstDay: Day;
  readonly doneDay: Day;
  readonly endDay: Day;
  /** Distinct reports that the source holds for the slice. */
  readonly reports: number;
  /** How many of them the archive did not hold, or held worse. */
  readonly inserted: number;
  /** Rows of the source that are no reports, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
};

export type ObservedHour = { readonly station: string; readonly observedAt: number };

const DONE_DAYS = readSqlFile('done_days');

/** Enters a slice into the ledger, after its reports are in the archive and their sightings recorded. */
export async function recordSlice(
  client: ClickHouseClient,
  record: SliceRecord,
  signal: AbortSignal,
): Promise<void> {
  await client.insert({ table: 'slices', values: [record], format: 'JSONEachRow', abort_signal: signal });
}

/**
 * Tells the coverage view at which hours there are reports.
 *
 * @param seen reports that the archive may have held before; what is inserted now tells itself. NIL excepted, which counts
 *   for nothing
 */
export async function recordObservedHours(
  client: ClickHouseClient,
  source: Source,
  seen: Iterable<ObservedHour>,
  signal: AbortSignal,
): Promise<void> {
  const values = sightingsByYear(source, seen);
  if (values.length > 0)
    await client.insert({ table: 'sightings', values, format: 'JSONEachRow', abort_signal: signal });
}

type YearSeen = {
  station: string;
  year: number;
  hours: Set<number>;
  firstReport: number;
  lastReport: number;
};

function sightingsByYear(source: Source, seen: Iterable<ObservedHour>): readonly object[] {
  const years = new Map<string, YearSeen>();
  for (const { station, observedAt } of seen) {
    const year = yearOf(observedAt);
    const key = `${station} ${year}`;
    const known = years.get(key) ?? {
      station,
      year,
      hours: new Set(),
      firstReport: observedAt,
      lastReport: observedAt,
    };
    known.hours.add(Math.floor((observedAt - Date.UTC(year, 0) / 1000) / 3600));
    known.firstReport = Math.min(known.firstReport, observedAt);
    known.lastReport = Math.max(known.lastReport, observedAt);
    years.set(key, known);
  }
  return [...years.values()].map((year) => ({ ...year, source, hours: [...year.hours] }));
}

/** Days `[firstDay, endDay)`. */
export type Days = { readonly firstDay: Day; readonly endDay: Day };

/**
 * The days of a range that need no load from this source: done in its ledger, or outside the period of record. By
 * station, in order and apart from one another.
 */
export async function readDoneDays(
  client: ClickHouseClient,
  asked: Days & {
    readonly source: Source;
    /** ICAO codes, or `*` alone for the slices over all stations. */
    readonly stations: readonly string[];
  },
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Days[]>> {
  const result = await client.query({
    query: DONE_DAYS,
    query_params: asked,
    format: 'JSONEachRow',
    abort_signal: signal,
  });
  const done = new Map<string, Days[]>();
  for (const { station, first, end } of await result.json<{ station: string; first: Day; end: Day }>()) {
    const stretches = done.get(station) ?? [];
    done.set(station, stretches);
    stretches.push({ firstDay: first, endDay: end });
  }
  return new Map([...done].map(([station, stretches]) => [station, joined(stretches)]));
}

function joined(stretches: readonly Days[]): readonly Days[] {
  const apart: Days[] = [];
  for (const next of stretches.toSorted((a, b) => (a.firstDay < b.firstDay ? -1 : 1))) {
    const before = apart.at(-1);
    if (before === undefined || before.endDay < next.firstDay) apart.push(next);
    else if (before.endDay < next.endDay) apart[apart.length - 1] = { ...before, endDay: next.endDay };
  }
  return apart;
}
