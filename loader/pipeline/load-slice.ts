import { recordSlice } from '../../clickhouse/coverage/ledger.ts';
import { ALL_STATIONS } from '../../clickhouse/coverage/station-listings.ts';
import { type Day, firstProvisionalDay } from '../../clickhouse/model/day.ts';
import type { FetchResult, SourceClient } from '../http/fetch-with-retry.ts';
import type { Slice, SourceAdapter } from '../sources/source.ts';
import type { ExpectedVolume } from './expected-volume.ts';
import { fetchComplete } from './fetch-complete.ts';
import type { KeyedMutex } from './keyed-mutex.ts';
import { type NormalizedReports, normalize } from './normalize.ts';
import type { SkipCounts } from './skip-reasons.ts';
import { finishWrite, startWrite, type WriteContext, type WriteResult, write } from './write.ts';

/** What a run carries from slice to slice. */
export type LoadContext = Omit<WriteContext, 'source' | 'signal'> & {
  readonly origin: SourceAdapter;
  readonly line: SourceClient;
  /** Reports of one station are reconciled by one source at a time, or both would add what the other adds. */
  readonly turns: KeyedMutex;
  /** What a slice is held against to be believed. */
  readonly neighbours: ExpectedVolume;
};

export type LoadResult =
  | {
      readonly kind: 'loaded';
      readonly reports: number;
      readonly inserted: number;
      readonly skipped: SkipCounts;
    }
  | Extract<FetchResult<never>, { kind: 'failed' }>;

/**
 * One slice through every room. Whatever happens on the way can be done again: the ledger comes last, so that a loader
 * killed at any moment leaves nothing claimed that is not there.
 */
export async function loadSlice(site: LoadContext, slice: Slice): Promise<LoadResult> {
  const youngDay = firstProvisionalDay(new Date());
  const isWorld = slice.station === ALL_STATIONS;
  const answer = await (isWorld ? keepWorldDay(site, slice) : keepStation(site, slice));
  if (answer.kind === 'failed') return answer;
  const { skipped, ...counts } = answer.value;
  const record = { ...slice, doneDay: doneDay(slice, youngDay), ...counts, skipped };
  await recordSlice(site.client, record, site.line.signal);
  site.neighbours.recorded(record);
  return { kind: 'loaded', ...counts, skipped };
}

type Through = Exclude<FetchResult<WriteResult & { readonly skipped: SkipCounts }>, { kind: 'absent' }>;

async function keepStation(site: LoadContext, slice: Slice): Promise<Through> {
  const answer = await fetchReports(site, slice);
  if (answer.kind === 'failed') return answer;
  const { fetched, skipped } = answer.value;
  const kept = await site.turns.take(slice.station, () => write(keeperOf(site), fetched, 'stations'));
  return through(kept, fetched.length, skipped);
}

/**
 * A day of the world fills the memory, so one at a time is in hand: the next is fetched as soon as the last row of it has
 * gone out, while the archive is still taking it in.
 */
async function keepWorldDay(site: LoadContext, slice: Slice): Promise<Through> {
  const answer = await site.turns.take(slice.station, async () => {
    const split = await fetchReports(site, slice);
    if (split.kind === 'failed') return split;
    const { fetched, skipped } = split.value;
    return {
      sent: await startWrite(keeperOf(site), fetched, 'world'),
      rows: fetched.length,
      skipped,
    } as const;
  });
  if ('kind' in answer) return answer;
  return through(await finishWrite(keeperOf(site), answer.sent), answer.rows, answer.skipped);
}

function through(kept: WriteResult, rows: number, skipped: SkipCounts): Through {
  if (rows > kept.reports) skipped['same report again'] = rows - kept.reports;
  return { kind: 'answered', value: { ...kept, skipped } };
}

function keeperOf(site: LoadContext): WriteContext {
  return { ...site, source: site.origin.source, signal: site.line.signal };
}

/** What was read is let go as soon as it is split: a day of the world holds a quarter of a million reports. */
export async function fetchReports(
  { neighbours, origin, line }: Pick<LoadContext, 'neighbours' | 'origin' | 'line'>,
  slice: Slice,
): Promise<Exclude<FetchResult<NormalizedReports>, { kind: 'absent' }>> {
  const reportsPerDay = await neighbours.reportsPerDay(slice, line.signal);
  const answer = await fetchComplete(origin, slice, line, reportsPerDay);
  if (answer.kind === 'failed') return answer;
  return {
    kind: 'answered',
    value: normalize(answer.kind === 'absent' ? { rows: [], skipped: {} } : answer.value),
  };
}

/** What was asked less than 72 hours after its end is provisional (D13). */
function doneDay({ firstDay, endDay }: Slice, youngDay: Day): Day {
  if (youngDay <= firstDay) return firstDay;
  return youngDay < endDay ? youngDay : endDay;
}
