import {
  recordObservedHours,
  recordSlices,
  type SliceRecord,
} from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS, readListings, recordListings } from '../../clickhouse/coverage/station-listings.ts';
import {
  addDays,
  type Day,
  type DayRange,
  dayNumbersOf,
  dayOf,
  dayRangesOf,
  daySetOf,
  firstProvisionalDay,
  subtract,
  unionOf,
} from '../../clickhouse/model/day.ts';
import type { Failure } from '../http/fetch-with-retry.ts';
import type { ParsedBody, Slice } from '../sources/source.ts';
import { type FetchContext, type FetchedBody, fetchComplete } from './fetch-complete.ts';
import { type NormalizedReports, normalize, skipOtherStations } from './normalize.ts';
import { reclassifyConflicts } from './reclassify.ts';
import type { KeyedMutex } from './workers.ts';
import {
  reconcileAndWrite,
  type WriteContext,
  type WriteResult,
  type WriteScope,
  writtenRange,
} from './write.ts';

/** Shared by the stages of a run, for one source. */
export type LoadContext = FetchContext & WriteContext & LoadRun & { readonly signal: AbortSignal };

/** Shared by all sources of a run. */
export type LoadRun = Pick<WriteContext, 'archive' | 'writer'> & {
  readonly now: () => Date;
  /** Two sources must not reconcile one station at the same time, or both insert the reports that both have. */
  readonly mutex: KeyedMutex;
  readonly run: string;
};

/**
 * Loads one slice: fetches it completely, loads its reports, and records it in the ledger.
 *
 * Every stage can be repeated. The ledger row comes last, so a loader killed at any moment has claimed no day whose
 * reports are not stored.
 */
export async function loadSlice(context: LoadContext, slice: Slice): Promise<ProvenSlice | Failure> {
  const askedAt = context.now();
  const result = await (slice.station === ALL_STATIONS
    ? loadAllStations(context, slice)
    : loadStation(context, slice));
  if (result.kind === 'failed' || slice.window !== undefined) return result;
  if (result.reports === 0 && slice.station !== ALL_STATIONS) {
    // A code that no source lists may be a typo. Its days are never done, so a ledger row would say nothing.
    const listings = await readListings(context.archive, { stations: [slice.station] });
    if (listings.length === 0) return result;
  }
  const rows = ledgerRows(slice, context.run, provisionalDayAt(askedAt, result.provenAt), result);
  await recordSlices(context.archive, rows);
  return result;
}

async function loadStation(context: LoadContext, slice: Slice): Promise<ProvenSlice | Failure> {
  const fetched = await fetchReports(context, slice);
  if (fetched.kind === 'failed') return fetched;
  const load = () => loadReports(context, fetched.reports, { scope: 'few stations', days: slice });
  return { ...(await context.mutex.run(slice.station, load)), provenAt: fetched.provenAt };
}

/**
 * A day of all stations has a quarter of a million reports, so one day at a time is in memory: the next is fetched once
 * the last row of this one is sent, while ClickHouse still stores it.
 */
async function loadAllStations(context: LoadContext, slice: Slice): Promise<ProvenSlice | Failure> {
  const sent = await context.mutex.run(ALL_STATIONS, async () => {
    const fetched = await fetchReports(context, slice);
    if (fetched.kind === 'failed') return fetched;
    const { provenAt } = fetched;
    return {
      ...(await sendReports(context, fetched.reports, { scope: 'all stations' })),
      kind: 'sent' as const,
      provenAt,
    };
  });
  if (sent.kind === 'failed') return sent;
  return { ...(await finishReports(context, sent)), provenAt: sent.provenAt };
}

/** When this returns, only the reports of the response are in memory. */
export async function fetchReports(context: LoadContext, slice: Slice) {
  const fetched = await fetchComplete(context, slice);
  if (fetched.kind === 'failed') return fetched;
  const reports = await reportsOf(context, fetched.value);
  return { kind: 'ok' as const, reports, provenAt: fetched.value.provenAt };
}

type RowsOf = {
  readonly scope: WriteScope;
  /** The days that a source was asked for; absent for rows of files. */
  readonly days?: DayRange;
};

/** A part of a slice: one incomplete day, or the days between incomplete days. */
export type SlicePart = DayRange & { readonly isComplete: boolean; readonly reports: number };

export type LoadedReports = WriteResult &
  Pick<ParsedBody, 'unreadable'> & {
    /** Absent if every day is complete. */
    readonly parts?: readonly SlicePart[] | undefined;
  };

/**
 * The one way into the archive, for rows of a response, a file or a snapshot, after `reportsOf`:
 *
 *     normalize -> skip other stations -> reconcile -> decode -> write -> reclassify conflicts -> listings and hours
 *
 * The caller writes the row of the ledger after this. The rows are not in memory any more while their reports are written.
 */
export async function loadReports(
  context: WriteContext,
  reports: NormalizedReports,
  of: RowsOf,
): Promise<LoadedReports> {
  return finishReports(context, await sendReports(context, reports, of));
}

async function sendReports(context: WriteContext, reports: NormalizedReports, { scope, days }: RowsOf) {
  const range = writtenRange(reports, scope);
  const write = await context.writer.write(range, () => reconcileAndWrite(context, reports, scope));
  const parts = days && splitAtIncompleteDays(days, reports);
  return { write, parts, unreadable: reports.unreadable };
}

/** The reports that rows hold, of their own stations. */
export async function reportsOf(
  { archive, knownStations }: Pick<WriteContext, 'archive' | 'knownStations'>,
  body: ParsedBody,
): Promise<NormalizedReports> {
  return skipOtherStations(archive, normalize(body), knownStations);
}

/** Corrects the types, then records which stations the source carries, and the hours that have reports. */
export async function finishReports(
  context: WriteContext,
  sent: Pick<Awaited<ReturnType<typeof sendReports>>, 'write'> & Pick<LoadedReports, 'parts' | 'unreadable'>,
): Promise<LoadedReports> {
  const { write, parts, unreadable } = sent;
  const { archive, source, listedStations, writer } = context;
  await writer.settle(write.range, async () => {
    await write.stored;
    await reclassifyConflicts(context, write.windows, write.othersSeen);
  });
  if (listedStations !== undefined) {
    // A report is evidence that the source carries its station, whether the source lists it or not.
    const unlisted = [...write.stations].filter((station) => !listedStations.has(station));
    await recordListings(
      archive,
      unlisted.map((station) => ({ source, station })),
    );
    for (const station of unlisted) listedStations.add(station);
  }
  await recordObservedHours(archive, source, [...write.observedHours, ...write.nilReports]);
  return { ...write.result, parts, unreadable };
}

/**
 * Splits a slice around days with an unreadable report at the source: the ledger must not make them done (D13), and the
 * days around them must not wait for them.
 *
 * @returns `undefined` if every day is complete
 */
export function splitAtIncompleteDays(
  slice: DayRange,
  { reports, incompleteDays = [] }: NormalizedReports,
): readonly SlicePart[] | undefined {
  if (incompleteDays.length === 0) return undefined;
  const parts = rangesAround(slice, incompleteDays);
  // Distinct reports. One observed outside the slice counts in the nearest part.
  const distinct = parts.map(() => new Set<string>());
  for (const { observedAt, fingerprint } of reports) {
    const day = dayOf(observedAt);
    const at = parts.findIndex(({ endDay }) => day < endDay);
    distinct.at(at)?.add(`${observedAt} ${fingerprint}`);
  }
  return parts.map((part, at) => ({
    ...part,
    isComplete: !incompleteDays.includes(part.firstDay),
    reports: distinct[at]?.size ?? 0,
  }));
}

function rangesAround(slice: DayRange, incompleteDays: readonly Day[]): readonly DayRange[] {
  const incomplete = [...new Set(incompleteDays)].map((day) => ({ firstDay: day, endDay: addDays(day, 1) }));
  const others = subtract(daySetOf(slice), unionOf(incomplete.flatMap(daySetOf)));
  return [...incomplete, ...dayRangesOf(others)].sort((a, b) => (a.firstDay < b.firstDay ? -1 : 1));
}

/**
 * The rows of the ledger for a loaded slice: one, or one per part. The first holds the counts over the whole slice.
 *
 * @param provisionalFrom days that ended less than 72 hours before the request are provisional (D13)
 */
export function ledgerRows(
  { source, station, ...range }: Slice,
  run: string,
  provisionalFrom: Day,
  { reports, inserted, skipped, dailyCounts, parts }: Omit<LoadedReports, 'kind' | 'observed'>,
): readonly SliceRecord[] {
  const whole: SlicePart = { ...range, isComplete: true, reports };
  return (parts ?? [whole]).map(({ isComplete, ...part }, at) => {
    const doneDay = isComplete ? doneDayOf(part, provisionalFrom) : part.firstDay;
    return {
      source,
      station,
      ...part,
      doneDay,
      inserted: at === 0 ? inserted : 0,
      skipped: at === 0 ? skipped : {},
      run,
      reportsByDay: [...dayNumbersOf(daySetOf({ firstDay: part.firstDay, endDay: doneDay }))].map(
        (day) => dailyCounts.get(day) ?? 0,
      ),
    };
  });
}

type ProvenSlice = LoadedReports & Pick<FetchedBody, 'provenAt'>;

/** The first provisional day (D13) of an answer, by the earlier of two clocks: this machine's and the source's (D70). */
export function provisionalDayAt(askedAt: Date, provenAt: number): Day {
  return firstProvisionalDay(new Date(Math.min(askedAt.getTime(), provenAt * 1000)));
}

function doneDayOf({ firstDay, endDay }: DayRange, provisionalFrom: Day): Day {
  if (provisionalFrom <= firstDay) return firstDay;
  return provisionalFrom < endDay ? provisionalFrom : endDay;
}
