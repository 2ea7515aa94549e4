import type { ClickHouseClient } from '@clickhouse/client';
import { type ObservedHour, recordObservedHours } from '../../clickhouse/coverage/ledger.ts';
import { listStations } from '../../clickhouse/coverage/station-listings.ts';
import type { Source } from '../../clickhouse/model/report.ts';
import { readStoredReports, type StationWindow } from '../../clickhouse/observations/stored-reports.ts';
import { findTypeConflicts } from '../../clickhouse/observations/type-conflicts.ts';
import { type Batch, calendarYears, stationBatches, worldBatches } from './batches.ts';
import { insertChanges } from './insert-changes.ts';
import type { NormalizedReport } from './normalize.ts';
import { reclassifyStation } from './reclassify.ts';
import { type Change, reconcile, type Typing } from './reconcile.ts';
import type { MinuteHistogram } from './report-type.ts';

/** The archive as one source fills it. */
export type WriteContext = {
  readonly client: ClickHouseClient;
  readonly source: Source;
  /** The minutes of all stations, as far as this run has seen them. */
  readonly minutes: MinuteHistogram;
  /** Stations of which this run has told the archive that the source carries them. */
  readonly listed: Set<string>;
  readonly signal: AbortSignal;
};

export type WriteResult = {
  /** Distinct reports. */
  readonly reports: number;
  /** How many of them the archive did not hold, or held worse. */
  readonly inserted: number;
};

/** Reports that have all gone out, while the archive is still taking them in. Holds none of them. */
export type PendingWrite = {
  readonly stored: Promise<unknown>;
  readonly reports: number;
  readonly inserted: number;
  /** Of the archive, that they were held against. */
  readonly stretches: readonly StationWindow[];
  /** That reported. */
  readonly stations: ReadonlySet<string>;
  /** What the coverage view is still to be told of. */
  readonly untold: readonly ObservedHour[];
};

/**
 * Whether few stations are in hand, whose types are settled at once, or those of the world, to be settled when their year
 * has been loaded.
 */
export type WriteScope = 'stations' | 'world';

/** Reports to the archive: rows first, then who reported at which hour, so that the ledger can follow. */
export async function write(
  keeper: WriteContext,
  fetched: readonly NormalizedReport[],
  scope: WriteScope,
): Promise<WriteResult> {
  return finishWrite(keeper, await startWrite(keeper, fetched, scope));
}

/**
 * Sends what the archive lacks. Decoding comes after reconciling, because only what the archive lacks is decoded.
 *
 * @returns when the last row has been written out
 */
export async function startWrite(
  keeper: WriteContext,
  fetched: readonly NormalizedReport[],
  scope: WriteScope,
): Promise<PendingWrite> {
  const typing = scope === 'world' ? provisional(keeper.minutes, fetched) : SETTLED;
  const pieces = scope === 'world' ? worldBatches(fetched) : stationBatches(fetched);
  const inserts = scope === 'world' ? inHalves(pieces) : [pieces];
  const course: WriteCounts = { reports: 0, inserted: 0, untold: [] };
  const sent = inserts.map((some) => {
    let end = () => {};
    const out = new Promise<void>((resolve) => (end = resolve));
    const changes = changesIn(keeper, some, typing, course, end);
    return { out, stored: insertChanges(keeper.client, changes, keeper.signal) };
  });
  const stored = Promise.all(sent.map((insert) => insert.stored));
  await Promise.race([stored, Promise.all(sent.map((insert) => insert.out))]);
  const stations = new Set<string>();
  for (const { station } of seen(fetched)) stations.add(station);
  return { ...course, stored, stations, stretches: pieces.map(({ stretch }) => stretch) };
}

/** Waits until the archive has taken in what was sent, and makes the rest of it true. */
export async function finishWrite(keeper: WriteContext, sent: PendingWrite): Promise<WriteResult> {
  const { client, source, signal } = keeper;
  await sent.stored;
  await resolveTypeConflicts(client, sent.stretches, signal);
  await listByEvidence(keeper, sent.stations);
  await recordObservedHours(client, source, sent.untold, signal);
  return { reports: sent.reports, inserted: sent.inserted };
}

/** What is counted and remembered on the way out. */
type WriteCounts = { reports: number; inserted: number; readonly untold: ObservedHour[] };

/**
 * A day of the world makes two inserts, side by side: one would keep the loader waiting for the archive, more would
 * leave more to merge.
 */
function inHalves(pieces: readonly Batch[]): readonly (readonly Batch[])[] {
  const half = Math.ceil(pieces.length / 2);
  return [pieces.slice(0, half), pieces.slice(half)];
}

/**
 * Another loader may have written the same report meanwhile, under another type: neither saw the other's. Whoever
 * wrote last finds both here and retracts one, so that no reader meets a report twice.
 */
async function resolveTypeConflicts(
  client: ClickHouseClient,
  stretches: readonly StationWindow[],
  signal: AbortSignal,
): Promise<void> {
  for (const stretch of stretches)
    for (const station of await findTypeConflicts(client, stretch, signal))
      await reclassifyStation(client, { station, ...calendarYears(stretch) }, signal);
}

/** Piece by piece, each made when the one before has gone to the archive. */
async function* changesIn(
  { client, source, signal }: WriteContext,
  pieces: readonly Batch[],
  typing: Typing,
  course: WriteCounts,
  end: () => void,
): AsyncGenerator<Iterable<Change>> {
  for (const { reports, stretch } of pieces) {
    const archived = await readStoredReports(client, stretch, signal);
    // Where the archive held nothing, every report is inserted now, and the insert tells the coverage view of it.
    if (archived.length > 0)
      for (const { station, observedAt } of seen(reports)) course.untold.push({ station, observedAt });
    const { changes, ...counted } = reconcile(source, reports, archived, typing);
    course.reports += counted.reports;
    course.inserted += counted.inserted;
    yield changes;
  }
  end();
}

const SETTLED: Typing = { kind: 'settled' };

function provisional(minutes: MinuteHistogram, fetched: readonly NormalizedReport[]): Typing {
  for (const report of fetched) minutes.add(report);
  return { kind: 'provisional', isMetar: minutes.judge() };
}

/** A report is evidence that the source carries its station, whether or not it says so. */
async function listByEvidence(
  { client, source, listed, signal }: WriteContext,
  stations: ReadonlySet<string>,
): Promise<void> {
  const unlisted = [...stations].filter((station) => !listed.has(station));
  if (unlisted.length === 0) return;
  await listStations(
    client,
    unlisted.map((station) => ({ source, station })),
    signal,
  );
  for (const station of unlisted) listed.add(station);
}

/** NIL says that there is no report. */
function* seen(fetched: readonly NormalizedReport[]): Generator<NormalizedReport> {
  for (const report of fetched) if (!report.nil) yield report;
}
