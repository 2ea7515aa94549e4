import type { ClickHouseClient } from '@clickhouse/client';
import { type Listing, listStations, readListings } from '../clickhouse/stations.ts';
import { ask, type Line } from './fetch.ts';
import type { Body, Origin } from './sources/origin.ts';

/** Periods spare requests, so they are not worth many. */
const ATTEMPTS = 3;

/**
 * Asks a source for the periods of record that the archive does not know yet, and keeps them. A source that tells
 * nothing of a station, or cannot be asked, leaves its period unknown: never an error, since reports are evidence too.
 */
export async function learnPeriods(
  client: ClickHouseClient,
  origin: Origin,
  stations: readonly string[],
  line: Line,
): Promise<void> {
  const { source } = origin;
  const known = await readListings(client, { source, stations }, line.signal);
  const withPeriod = new Set(
    known.filter(({ firstDay }) => firstDay !== undefined).map(({ station }) => station),
  );
  for (const station of stations) {
    if (withPeriod.has(station)) continue;
    await listStations(client, await periodsOf(origin, station, line), line.signal);
  }
}

async function periodsOf(origin: Origin, station: string, line: Line): Promise<readonly Listing[]> {
  if (origin.kind === 'local') return [origin.period(station)];
  const read = (body: Body) => origin.readPeriods(body, station);
  const answer = await ask(line, origin.periodRequest(station), read, ATTEMPTS);
  return answer.kind === 'answered' ? answer.value : [];
}
