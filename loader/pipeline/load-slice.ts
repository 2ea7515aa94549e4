import type { Archive } from '../../clickhouse/archive.ts';
import { newRun, recordSlices } from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS, readListings } from '../../clickhouse/coverage/station-listings.ts';
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
import { type FetchedBody, fetchComplete } from './fetch-complete.ts';
import { ledgerRows, provisionalDayAt } from './ledger-rows.ts';
import { readReports } from './normalize.ts';
import { MinuteHistogram } from './report-type.ts';
import { KeyedMutex } from './workers.ts';
import { finishReports, type LoadedReports, loadReports, sendReports } from './write.ts';
import { Writer } from './writer.ts';

type ProvenSlice = LoadedReports & Pick<FetchedBody, 'provenAt'>;

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
    // Days of a code that no source lists, perhaps a typing error, or that the list of this source lacks, are not done (D13).
    const listings = await readListings(context.archive, { stations: [slice.station] });
    if (listings.length === 0 || context.adapter.lists?.(slice.station) === false) return result;
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
    const write = await sendReports(context, fetched.reports, { scope: 'all stations' });
    return { kind: 'sent' as const, write, provenAt: fetched.provenAt };
  });
  if (sent.kind === 'failed') return sent;
  return { ...(await finishReports(context, sent.write)), provenAt: sent.provenAt };
}

/** When this returns, only the reports of the response are in memory. */
export async function fetchReports(context: LoadContext, slice: Slice) {
  const fetched = await fetchComplete(context, slice);
  if (fetched.kind === 'failed') return fetched;
  const reports = await readReports(context, fetched.value);
  return { kind: 'ok' as const, reports, provenAt: fetched.value.provenAt };
}

/** Shared by all sources of a run. */
type LoadRun = ReturnType<typeof startRun>;

export function startRun(archive: Archive, now = () => new Date()) {
  const run = newRun(now());
  // Two sources must not reconcile one station at the same time, or both insert the reports that both have.
  const mutex = new KeyedMutex();
  return { archive, now, mutex, run, writer: new Writer(archive, run) };
}

/** Shared by the stages of a run, for one source. */
export type LoadContext = Readonly<ReturnType<typeof loadContext>>;

export function loadContext(run: LoadRun, adapter: SourceAdapter, sourceClient: SourceClient) {
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
  const about = { ...options, now: run.now };
  const client = createSourceClient({ ...rateLimit, intervalSeconds }, about, timer, patienceSeconds);
  return loadContext(run, adapter, client);
}
