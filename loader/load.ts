import { type Day, firstYoungDay } from '../clickhouse/day.ts';
import { recordSlice } from '../clickhouse/ledger.ts';
import { readNeighbours } from '../clickhouse/neighbours.ts';
import { EVERY_STATION } from '../clickhouse/stations.ts';
import type { Answer, Line } from './fetch.ts';
import { type Keeper, keep } from './keep.ts';
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
  const { client, origin, line } = site;
  const youngDay = firstYoungDay(new Date());
  const answer = await fetchReports(site, slice);
  if (answer.kind === 'failed') return answer;
  const { fetched, skipped } = answer.value;

  const keeper = { ...site, source: origin.source, signal: line.signal };
  const counts =
    slice.station === EVERY_STATION
      ? await keep(keeper, fetched, 'world')
      : await site.turns.take(slice.station, () => keep(keeper, fetched, 'stations'));
  if (fetched.length > counts.reports) skipped['same report again'] = fetched.length - counts.reports;
  await recordSlice(client, { ...slice, doneDay: doneDay(slice, youngDay), ...counts, skipped }, line.signal);
  return { kind: 'loaded', ...counts, skipped };
}

/** What was read is let go as soon as it is split: a day of the world holds a quarter of a million reports. */
export async function fetchReports(
  { client, origin, line }: Pick<Site, 'client' | 'origin' | 'line'>,
  slice: Slice,
): Promise<Exclude<Answer<Split>, { kind: 'absent' }>> {
  const reportsPerDay = await readNeighbours(client, slice, line.signal);
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
