import type { Archive } from '../../clickhouse/archive.ts';
import {
  newRun,
  recordNilStations,
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
  daySetOf,
  firstProvisionalDay,
} from '../../clickhouse/model/day.ts';
import type { Config } from '../config.ts';
import {
  createSourceClient,
  type Failure,
  type FetchEvents,
  type SourceClient,
} from '../http/fetch-with-retry.ts';
import type { Timer } from '../http/retry-policy.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../sources/registry.ts';
import type { Slice, SourceAdapter } from '../sources/source.ts';
import { type FetchContext, type FetchedBody, fetchComplete } from './fetch-complete.ts';
import { type NormalizedReports, normalize } from './normalize.ts';
import { skipOtherStations } from './other-stations.ts';
import { reclassifyConflicts } from './reclassify.ts';
import { MinuteHistogram } from './report-type.ts';
import { KeyedMutex } from './workers.ts';
import {
  type PendingWrite,
  reconcileAndWrite,
  type WriteContext,
  type WriteResult,
  type WriteScope,
  writtenWindow,
} from './write.ts';
import { Writer } from './writer.ts';

/** What the stages of a run share, for one source. */
export type LoadContext = FetchContext & WriteContext & LoadRun & { readonly signal: AbortSignal };

/** What all sources of a run share. */
type LoadRun = {
  readonly client: Archive;
  readonly now: () => Date;
  readonly mutex: KeyedMutex;
  readonly run: string;
  readonly writer: Writer;
};

export function startRun(client: Archive, now = () => new Date()): LoadRun {
  const run = newRun(now());
  return { client, now, mutex: new KeyedMutex(), run, writer: new Writer(client, run) };
}

export function loadContext(run: LoadRun, adapter: SourceAdapter, sourceClient: SourceClient): LoadContext {
  const { signal } = sourceClient;
  const own = { minutes: new MinuteHistogram(), listedStations: new Set<string>() };
  return { ...run, ...own, adapter, source: adapter.source, sourceClient, signal };
}

type SourceOptions = Pick<Config, 'hosts' | 'userAgent'> & {
  /** Replaces the interval of the source's rate limit. */
  readonly intervalSeconds: number | undefined;
  readonly signal: AbortSignal;
  readonly events: FetchEvents;
  readonly timer?: Timer;
  readonly patienceSeconds?: number;
};

/** The context of a source that `--source` names. */
export function sourceContext(run: LoadRun, source: SourceName, options: SourceOptions): LoadContext {
  const adapter = SOURCE_ADAPTERS[source](options.hosts[source]);
  const { rateLimit } = adapter;
  const { intervalSeconds = rateLimit.intervalSeconds, timer, patienceSeconds } = options;
  const clientOptions = { ...options, now: run.now };
  const client = createSourceClient({ ...rateLimit, intervalSeconds }, clientOptions, timer, patienceSeconds);
  return loadContext(run, adapter, client);
}

/**
 * Loads one slice through six stages:
 *
 *     fetch complete -> normalize -> reconcile -> write -> reclassify conflicts -> update coverage, ledger row last
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
    const listings = await readListings(context.client, { stations: [slice.station] });
    if (listings.length === 0) return result;
  }
  const rows = ledgerRows(slice, context.run, provisionalDayAt(askedAt, result.provenAt), result);
  await recordSlices(context.client, rows);
  return result;
}

/** Two sources must not reconcile one station at the same time, or both insert the reports that both have. */
async function loadStation(context: LoadContext, slice: Slice): Promise<ProvenSlice | Failure> {
  const fetched = await fetchReports(context, slice);
  if (fetched.kind === 'failed') return fetched;
  const written = await context.mutex.run(slice.station, () =>
    writeReports(context, fetched.value, 'few stations'),
  );
  const { unreadable } = fetched.value;
  const parts = splitAtIncompleteDays(slice, fetched.value);
  return { ...written, parts, unreadable, provenAt: fetched.provenAt };
}

/**
 * A day of all stations has a quarter of a million reports, so one day at a time is in memory: the next is fetched once
 * the last row of this one is sent, while ClickHouse still stores it.
 */
async function loadAllStations(context: LoadContext, slice: Slice): Promise<ProvenSlice | Failure> {
  const sent = await context.mutex.run(ALL_STATIONS, async () => {
    const fetched = await fetchReports(context, slice);
    if (fetched.kind === 'failed') return fetched;
    const { unreadable } = fetched.value;
    const window = writtenWindow(fetched.value, 'all stations');
    const write = await context.writer.write(window, () =>
      reconcileAndWrite(context, fetched.value, 'all stations'),
    );
    return { kind: 'sent', write, unreadable, provenAt: fetched.provenAt } as const;
  });
  if (sent.kind === 'failed') return sent;
  const { unreadable, provenAt } = sent;
  return { ...(await finishWrite(context, sent.write)), unreadable, provenAt };
}

/** When this returns, only the reports of the response are in memory. */
export async function fetchReports(
  context: FetchContext,
  slice: Slice,
): Promise<({ readonly kind: 'ok'; readonly value: NormalizedReports } & ProvenTime) | Failure> {
  const fetched = await fetchComplete(context, slice);
  if (fetched.kind === 'failed') return fetched;
  const reports = await skipOtherStations(context.client, normalize(fetched.value));
  return { kind: 'ok', value: reports, provenAt: fetched.value.provenAt };
}

export async function writeReports(context: WriteContext, reports: NormalizedReports, scope: WriteScope) {
  const window = writtenWindow(reports, scope);
  const write = await context.writer.write(window, () => reconcileAndWrite(context, reports, scope));
  return finishWrite(context, write);
}

/** Corrects the types, then records which stations the source carries, and the hours that have reports. */
export async function finishWrite(context: WriteContext, write: PendingWrite): Promise<WriteResult> {
  const { client, source, listedStations, writer } = context;
  await writer.settle(write.window, async () => {
    await write.stored;
    await reclassifyConflicts(client, write.windows);
  });
  // A report is evidence that the source carries its station, whether the source lists it or not.
  const unlisted = [...write.stations].filter((station) => !listedStations.has(station));
  await recordListings(
    client,
    unlisted.map((station) => ({ source, station })),
  );
  for (const station of unlisted) listedStations.add(station);
  await recordNilStations(client, source, write.nilReports);
  await recordObservedHours(client, source, write.observedHours);
  return write.result;
}

/** A part of a slice: one incomplete day, or the days between incomplete days. */
type SlicePart = DayRange & { readonly isComplete: boolean; readonly reports: number };

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
  const parts: DayRange[] = [];
  let firstDay = slice.firstDay;
  for (const day of [...new Set(incompleteDays)].sort()) {
    if (firstDay < day) parts.push({ firstDay, endDay: day });
    firstDay = addDays(day, 1);
    parts.push({ firstDay: day, endDay: firstDay });
  }
  if (firstDay < slice.endDay) parts.push({ firstDay, endDay: slice.endDay });
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

/**
 * The rows of the ledger for a loaded slice: one, or one per part. The first holds the counts over the whole slice.
 *
 * @param provisionalFrom days that ended less than 72 hours before the request are provisional (D13)
 */
export function ledgerRows(
  { source, station, ...range }: Slice,
  run: string,
  provisionalFrom: Day,
  { reports, inserted, skipped, dailyCounts, parts }: LoadedSlice,
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

export type LoadedSlice = WriteResult & {
  readonly parts?: readonly SlicePart[] | undefined;
  /** Which rows cannot be read, for the user (D68). */
  readonly unreadable?: string | undefined;
};

type ProvenTime = Pick<FetchedBody, 'provenAt'>;
type ProvenSlice = LoadedSlice & ProvenTime;

/** The first provisional day (D13) of an answer, by the earlier of two clocks: this machine's and the source's (D70). */
export function provisionalDayAt(askedAt: Date, provenAt: ProvenTime['provenAt']): Day {
  return firstProvisionalDay(new Date(Math.min(askedAt.getTime(), provenAt * 1000)));
}

function doneDayOf({ firstDay, endDay }: DayRange, provisionalFrom: Day): Day {
  if (provisionalFrom <= firstDay) return firstDay;
  return provisionalFrom < endDay ? provisionalFrom : endDay;
}
