import type { ClickHouseClient } from '@clickhouse/client';
import { dayOf } from '../clickhouse/day.ts';
import { listStations, readListings } from '../clickhouse/stations.ts';
import { ask, type Line } from './fetch.ts';
import type { Body, Directory, Origin } from './sources/origin.ts';

/** Periods spare requests, so they are not worth many. */
const ATTEMPTS = 3;

/**
 * Asks a source which of these stations it carries and since when, and keeps the answer.
 *
 * @returns why the source cannot be asked for anything else yet; `undefined` when it can
 */
export async function learnPeriods(
  client: ClickHouseClient,
  origin: Origin,
  stations: readonly string[],
  line: Line,
): Promise<string | undefined> {
  if (stations.length === 0) return undefined;
  if (origin.kind === 'local') {
    await listStations(client, stations.map(origin.period), line.signal);
    return undefined;
  }
  const { directory, source } = origin;
  if (directory.kind === 'by station') await learnOneByOne(client, directory, { source, stations }, line);
  if (directory.kind !== 'whole') return undefined;
  const answer = await ask(line, directory.request, directory.read);
  if (answer.kind !== 'answered')
    return answer.kind === 'failed' ? answer.reason : 'there is no list of stations';
  const wanted = new Set(stations);
  await listStations(
    client,
    answer.value.filter(({ station }) => wanted.has(station)),
    line.signal,
  );
  return undefined;
}

/** A station of which nothing is told has a period unknown: never an error, since reports are evidence too. */
async function learnOneByOne(
  client: ClickHouseClient,
  directory: Extract<Directory, { kind: 'by station' }>,
  asked: { readonly source: Origin['source']; readonly stations: readonly string[] },
  line: Line,
): Promise<void> {
  const known = await readListings(client, asked, line.signal);
  // Periods get revised (D13): what was told on an earlier day is asked for again.
  const today = dayOf(Date.now() / 1000);
  const toldToday = known.filter(({ firstDay, listedDay }) => firstDay !== undefined && listedDay === today);
  const withPeriod = new Set(toldToday.map(({ station }) => station));
  for (const station of asked.stations) {
    if (withPeriod.has(station)) continue;
    const read = (body: Body) => directory.read(body, station);
    const answer = await ask(line, directory.request(station), read, ATTEMPTS);
    if (answer.kind === 'answered') await listStations(client, answer.value, line.signal);
  }
}
