import { recordSlices, type SliceRecord } from '../../clickhouse/coverage/ledger/ledger.ts';
import { ALL_STATIONS, readListings } from '../../clickhouse/coverage/station-listings.ts';
import {
  type Day,
  type DayRange,
  dayNumbersOf,
  daySetOf,
  firstProvisionalDay,
} from '../../clickhouse/model/day.ts';
import type { Failure } from '../http/fetch-with-retry.ts';
import type { Slice } from '../sources/source.ts';
import { type FetchContext, type FetchedBody, fetchComplete } from './fetch-complete.ts';
import {
  finishReports,
  type LoadedReports,
  loadReports,
  reportsOf,
  type SlicePart,
  sendReports,
} from './load-reports.ts';
import type { NormalizedReports } from './normalize.ts';
import type { KeyedMutex } from './workers.ts';
import type { WriteContext } from './write.ts';

/** What the stages of a run share, for one source. */
export type LoadContext = FetchContext & WriteContext & LoadRun & { readonly signal: AbortSignal };

/** What all sources of a run share. */
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
    const reports = await sendReports(context, fetched.reports, { scope: 'all stations' });
    return { kind: 'sent', reports, provenAt: fetched.provenAt } as const;
  });
  if (sent.kind === 'failed') return sent;
  return { ...(await finishReports(context, sent.reports)), provenAt: sent.provenAt };
}

type FetchedReports = { readonly kind: 'ok'; readonly reports: NormalizedReports } & ProvenTime;

/** When this returns, only the reports of the response are in memory. */
export async function fetchReports(context: LoadContext, slice: Slice): Promise<FetchedReports | Failure> {
  const fetched = await fetchComplete(context, slice);
  if (fetched.kind === 'failed') return fetched;
  const reports = await reportsOf(context, fetched.value);
  return { kind: 'ok', reports, provenAt: fetched.value.provenAt };
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

type ProvenTime = Pick<FetchedBody, 'provenAt'>;
type ProvenSlice = LoadedReports & ProvenTime;

/** The first provisional day (D13) of an answer, by the earlier of two clocks: this machine's and the source's (D70). */
export function provisionalDayAt(askedAt: Date, provenAt: ProvenTime['provenAt']): Day {
  return firstProvisionalDay(new Date(Math.min(askedAt.getTime(), provenAt * 1000)));
}

function doneDayOf({ firstDay, endDay }: DayRange, provisionalFrom: Day): Day {
  if (provisionalFrom <= firstDay) return firstDay;
  return provisionalFrom < endDay ? provisionalFrom : endDay;
}
