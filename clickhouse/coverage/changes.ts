import type { ClickHouseClient } from '@clickhouse/client';
import { POINT_READ } from '../query-settings.ts';
import { readSqlFile } from '../sql-file.ts';
import { addedParts, type Part } from './table-parts.ts';

const TABLES = ['coverage', 'stations'];
const PARTS = readSqlFile('coverage_parts');
const STATIONS = readSqlFile('stations_in_parts');

/** Stations of which something may have been told; `all` where that cannot be said. */
export type ChangedStations = ReadonlySet<string> | 'all';

/**
 * Looks what loaders have told the coverage view and the listings since the look before: `all` at the first one, and as
 * long as the archive is empty.
 * Nothing that was told before the look began is missed. Looks follow one another.
 */
export function coverageChangesReader(
  client: ClickHouseClient,
): (signal: AbortSignal) => Promise<ChangedStations> {
  let before: readonly Part[] = [];
  return async (signal) => {
    const now = await rows<Part>(client, PARTS, {}, signal);
    // Of a table that was empty, what came and went again has left no trace.
    const parts = TABLES.every((table) => before.some((part) => part.table === table))
      ? addedParts(before, now)
      : 'all';
    const told = parts === 'all' ? parts : await stationsIn(client, parts, signal);
    before = now;
    return told;
  };
}

async function stationsIn(
  client: ClickHouseClient,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<ChangedStations> {
  const told = new Set<string>();
  for (const table of new Set(parts.map((part) => part.table))) {
    const names = parts.filter((part) => part.table === table).map(({ name }) => name);
    const query = STATIONS.replace('$table', table);
    const found = await rows<{ part: string; stations: string[] }>(client, query, { parts: names }, signal);
    // Merged in between: what it told is in another part now, among all the rest.
    if (found.length < names.length) return 'all';
    for (const { stations } of found) for (const station of stations) told.add(station);
  }
  return told;
}

async function rows<T>(
  client: ClickHouseClient,
  query: string,
  params: Record<string, unknown>,
  signal: AbortSignal,
): Promise<T[]> {
  const result = await client.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    clickhouse_settings: POINT_READ,
    abort_signal: signal,
  });
  return result.json<T>();
}
