import { type Day, firstYoungDay } from '../clickhouse/day.ts';
import { recordSlice } from '../clickhouse/ledger.ts';
import { EVERY_STATION } from '../clickhouse/stations.ts';
import type { Answer, Line } from './fetch.ts';
import { type Keeper, type Kept, keep, send, settle } from './keep.ts';
import type { Neighbours } from './neighbours.ts';
import type { SkipCounts } from './skipped.ts';
import type { Origin, Slice } from './sources/origin.ts';
import { type Split, split } from './split.ts';
import type { Turns } from './turns.ts';
import { fetchWhole } from './whole.ts';

/** What a run carries from slice to slice. */
export type Site = Omit<Keeper, 'source' | 'signal'> & {
  readonly origin: Origin;
  readonly line: Line;
  /** Reports of one station are reconciled by one source at a time, or both would add what the other adds. */
  readonly turns: Turns;
  /** What a slice is held against to be believed. */
  readonly neighbours: Neighbours;
};

export type Loaded =
  | {
      readonly kind: 'loaded';
      readonly reports: number;
      readonly inserted: number;
      readonly skipped: SkipCounts;
    }
  | Extract<Answer<never>, { kind: 'failed' }>;

/**
 * One slice through every room. Whatever happens on the way can be done again: the ledger comes last, so that a loader
 * killed at any moment leaves nothing claimed that is not there.
 */
export async function load(site: Site, slice: Slice): Promise<Loaded> {
  const youngDay = firstYoungDay(new Date());
  const isWorld = slice.station === EVERY_STATION;
  const answer = await (isWorld ? keepWorldDay(site, slice) : keepStation(site, slice));
  if (answer.kind === 'failed') return answer;
  const { skipped, ...counts } = answer.value;
  const record = { ...slice, doneDay: doneDay(slice, youngDay), ...counts, skipped };
  await recordSlice(site.client, record, site.line.signal);
  site.neighbours.recorded(record);
  return { kind: 'loaded', ...counts, skipped };
}

type Through = Exclude<Answer<Kept & { readonly skipped: SkipCounts }>, { kind: 'absent' }>;

async function keepStation(site: Site, slice: Slice): Promise<Through> {
  const answer = await fetchReports(site, slice);
  if (answer.kind === 'failed') return answer;
  const { fetched, skipped } = answer.value;
  const kept = await site.turns.take(slice.station, () => keep(keeperOf(site), fetched, 'stations'));
  return through(kept, fetched.length, skipped);
}

/**
 * A day of the world fills the memory, so one at a time is in hand: the next is fetched as soon as the last row of it has
 * gone out, while the archive is still taking it in.
 */
async function keepWorldDay(site: Site, slice: Slice): Promise<Through> {
  const answer = await site.turns.take(slice.station, async () => {
    const split = await fetchReports(site, slice);
    if (split.kind === 'failed') return split;
    const { fetched, skipped } = split.value;
    return { sent: await send(keeperOf(site), fetched, 'world'), rows: fetched.length, skipped } as const;
  });
  if ('kind' in answer) return answer;
  return through(await settle(keeperOf(site), answer.sent), answer.rows, answer.skipped);
}

function through(kept: Kept, rows: number, skipped: SkipCounts): Through {
  if (rows > kept.reports) skipped['same report again'] = rows - kept.reports;
  return { kind: 'answered', value: { ...kept, skipped } };
}

function keeperOf(site: Site): Keeper {
  return { ...site, source: site.origin.source, signal: site.line.signal };
}

/** What was read is let go as soon as it is split: a day of the world holds a quarter of a million reports. */
export async function fetchReports(
  { neighbours, origin, line }: Pick<Site, 'neighbours' | 'origin' | 'line'>,
  slice: Slice,
): Promise<Exclude<Answer<Split>, { kind: 'absent' }>> {
  const reportsPerDay = await neighbours.reportsPerDay(slice, line.signal);
  const answer = await fetchWhole(origin, slice, line, reportsPerDay);
  if (answer.kind === 'failed') return answer;
  return {
    kind: 'answered',
    value: split(answer.kind === 'absent' ? { sent: [], skipped: {} } : answer.value),
  };
}

/** What was asked less than 72 hours after its end is provisional (D13). */
function doneDay({ firstDay, endDay }: Slice, youngDay: Day): Day {
  if (youngDay <= firstDay) return firstDay;
  return youngDay < endDay ? youngDay : endDay;
}
