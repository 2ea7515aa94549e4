import type { ClickHouseClient } from '@clickhouse/client';
import { readArchived } from '../clickhouse/archived.ts';
import { readDoubles } from '../clickhouse/doubles.ts';
import { recordSightings } from '../clickhouse/ledger.ts';
import type { Source } from '../clickhouse/report.ts';
import { listStations } from '../clickhouse/stations.ts';
import { insertChanges } from './insert.ts';
import { calendarYears, type Piece, stationPieces, worldPieces } from './pieces.ts';
import { type Change, reconcile, type Typing } from './reconcile.ts';
import { settleStation } from './settle.ts';
import type { Fetched } from './split.ts';
import type { Minutes } from './type.ts';

/** The archive as one source fills it. */
export type Keeper = {
  readonly client: ClickHouseClient;
  readonly source: Source;
  /** The minutes of all stations, as far as this run has seen them. */
  readonly minutes: Minutes;
  /** Stations of which this run has told the archive that the source carries them. */
  readonly listed: Set<string>;
  readonly signal: AbortSignal;
};

export type Kept = {
  /** Distinct reports. */
  readonly reports: number;
  /** How many of them the archive did not hold, or held worse. */
  readonly inserted: number;
};

/** What has been kept on the way, and of which reports the coverage view is still to be told. */
type Course = { reports: number; inserted: number; readonly untold: (readonly Fetched[])[] };

/**
 * Reports to the archive: rows first, then who reported at which hour, so that the ledger can follow. Decoding comes
 * after reconciling, because only what the archive lacks is decoded.
 *
 * @param scope whether few stations are in hand, whose types are settled at once, or those of the world, to be settled
 *   when their year has been loaded
 */
export async function keep(
  keeper: Keeper,
  fetched: readonly Fetched[],
  scope: 'stations' | 'world',
): Promise<Kept> {
  const { client, source, signal } = keeper;
  const course: Course = { reports: 0, inserted: 0, untold: [] };
  const typing = scope === 'world' ? provisional(keeper.minutes, fetched) : SETTLED;
  const pieces = scope === 'world' ? worldPieces(fetched) : stationPieces(fetched);
  const inserts = scope === 'world' ? inHalves(pieces) : [pieces];
  await Promise.all(
    inserts.map((some) => insertChanges(client, changesIn(keeper, some, typing, course), signal)),
  );
  await settleDoubles(client, pieces, signal);
  await listByEvidence(keeper, fetched);
  await recordSightings(client, source, seen(course.untold.flat()), signal);
  return { reports: course.reports, inserted: course.inserted };
}

/**
 * A day of the world makes two inserts, side by side: one would keep the loader waiting for the archive, more would
 * leave more to merge.
 */
function inHalves(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const half = Math.ceil(pieces.length / 2);
  return [pieces.slice(0, half), pieces.slice(half)];
}

/**
 * Another loader may have written the same report meanwhile, under another type: neither saw the other's. Whoever
 * wrote last finds both here and retracts one, so that no reader meets a report twice.
 */
async function settleDoubles(
  client: ClickHouseClient,
  pieces: readonly Piece[],
  signal: AbortSignal,
): Promise<void> {
  for (const { stretch } of pieces)
    for (const station of await readDoubles(client, stretch, signal))
      await settleStation(client, { station, ...calendarYears(stretch) }, signal);
}

/** Piece by piece, each made when the one before has gone to the archive. */
async function* changesIn(
  { client, source, signal }: Keeper,
  pieces: readonly Piece[],
  typing: Typing,
  course: Course,
): AsyncGenerator<readonly Change[]> {
  for (const { reports, stretch } of pieces) {
    const archived = await readArchived(client, stretch, signal);
    // Where the archive held nothing, every report is inserted now, and the insert tells the coverage view of it.
    if (archived.length > 0) course.untold.push(reports);
    const { changes, ...counted } = reconcile(source, reports, archived, typing);
    course.reports += counted.reports;
    course.inserted += counted.inserted;
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
  { client, source, listed, signal }: Keeper,
  fetched: readonly Fetched[],
): Promise<void> {
  const stations = new Set<string>();
  for (const { station } of seen(fetched)) if (!listed.has(station)) stations.add(station);
  if (stations.size === 0) return;
  await listStations(
    client,
    [...stations].map((station) => ({ source, station })),
    signal,
  );
  for (const station of stations) listed.add(station);
}

/** NIL says that there is no report. */
function* seen(fetched: readonly Fetched[]): Generator<Fetched> {
  for (const report of fetched) if (!report.nil) yield report;
}
