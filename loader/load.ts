import type { ClickHouseClient } from '@clickhouse/client';
import { readArchived } from '../clickhouse/archived.ts';
import { type Day, firstYoungDay } from '../clickhouse/day.ts';
import { recordSlice } from '../clickhouse/ledger.ts';
import { listStations } from '../clickhouse/stations.ts';
import type { Answer, Line } from './fetch.ts';
import { insertChanges } from './insert.ts';
import { piecesOf } from './pieces.ts';
import { type Change, reconcile, type Typing } from './reconcile.ts';
import type { SkipCounts } from './skipped.ts';
import { EVERY_STATION, type Origin, type Slice } from './sources/origin.ts';
import { type Fetched, type Split, split } from './split.ts';
import type { Minutes } from './type.ts';
import { fetchWhole } from './whole.ts';

/** What a run carries from slice to slice. */
export type Site = {
  readonly client: ClickHouseClient;
  readonly origin: Origin;
  readonly line: Line;
  /** The minutes of all stations, as far as this run has seen them. */
  readonly minutes: Minutes;
  /** Stations of which this run has told the archive that the source carries them. */
  readonly listed: Set<string>;
};

export type Loaded =
  | {
      readonly kind: 'loaded';
      readonly reports: number;
      readonly inserted: number;
      readonly skipped: SkipCounts;
    }
  | { readonly kind: 'failed'; readonly reason: string };

/**
 * One slice through every room. Whatever happens on the way can be done again: rows go in first, then who reported
 * at which hour, and last the ledger, so that a loader killed at any moment leaves nothing claimed that is not there.
 * Decoding comes after reconciling, because only what the archive lacks is decoded.
 */
export async function load(site: Site, slice: Slice): Promise<Loaded> {
  const { client, line } = site;
  const youngDay = firstYoungDay(new Date());
  const answer = await fetchReports(site, slice);
  if (answer.kind === 'failed') return answer;
  const { fetched, skipped } = answer.value;

  const counts = { reports: 0, inserted: 0 };
  await insertChanges(client, changesIn(site, slice, fetched, counts), line.signal);

  await listByEvidence(site, fetched);
  if (fetched.length > counts.reports) skipped['same report again'] = fetched.length - counts.reports;
  const record = { ...slice, doneDay: doneDay(slice, youngDay), ...counts, skipped };
  await recordSlice(client, record, seen(fetched), line.signal);
  return { kind: 'loaded', ...counts, skipped };
}

/** What was read is let go as soon as it is split: a day of the world holds a quarter of a million reports. */
async function fetchReports(
  { origin, line }: Site,
  slice: Slice,
): Promise<Exclude<Answer<Split>, { kind: 'absent' }>> {
  const answer = await fetchWhole(origin, slice, line);
  if (answer.kind === 'failed') return answer;
  return {
    kind: 'answered',
    value: split(answer.kind === 'absent' ? { sent: [], skipped: {} } : answer.value),
  };
}

/** Piece by piece, each made when the one before has gone to the archive. */
async function* changesIn(
  { client, line, minutes }: Site,
  slice: Slice,
  fetched: readonly Fetched[],
  counts: { reports: number; inserted: number },
): AsyncGenerator<readonly Change[]> {
  const typing = slice.station === EVERY_STATION ? provisional(minutes, fetched) : SETTLED;
  for (const { reports, stretch } of piecesOf(slice, fetched)) {
    const archived = await readArchived(client, stretch, line.signal);
    const { changes, ...counted } = reconcile(slice.source, reports, archived, typing);
    counts.reports += counted.reports;
    counts.inserted += counted.inserted;
    yield changes;
  }
}

const SETTLED: Typing = { kind: 'settled' };

function provisional(minutes: Minutes, fetched: readonly Fetched[]): Typing {
  for (const report of fetched) minutes.add(report);
  return { kind: 'provisional', isMetar: minutes.judge() };
}

/** A report is evidence that the source carries its station, whether or not it says so. */
async function listByEvidence(
  { client, origin, listed, line }: Site,
  fetched: readonly Fetched[],
): Promise<void> {
  const stations = new Set<string>();
  for (const { station } of seen(fetched)) if (!listed.has(station)) stations.add(station);
  if (stations.size === 0) return;
  const { source } = origin;
  await listStations(
    client,
    [...stations].map((station) => ({ source, station })),
    line.signal,
  );
  for (const station of stations) listed.add(station);
}

/** NIL says that there is no report. */
function* seen(fetched: readonly Fetched[]): Generator<Fetched> {
  for (const report of fetched) if (!report.nil) yield report;
}

/** What was asked less than 72 hours after its end is provisional (D13). */
function doneDay({ firstDay, endDay }: Slice, youngDay: Day): Day {
  if (youngDay <= firstDay) return firstDay;
  return youngDay < endDay ? youngDay : endDay;
}
