import type { ClickHouseClient } from '@clickhouse/client';
import { countNodeChanges } from '../cluster/node-list.ts';
import { POINT_READ } from '../query-settings.ts';
import { selectRows } from '../select.ts';
import { fillSql, readSqlFile } from '../sql-file.ts';
import { addedParts, type Part } from './table-parts.ts';

const TABLES = ['coverage', 'stations'];
const PARTS = readSqlFile('coverage_parts');
const STATIONS = readSqlFile('stations_in_parts');

/** Stations whose coverage or listings may have changed; `all` where that is not known. */
export type ChangedStations = ReadonlySet<string> | 'all';

/**
 * Reads which stations loaders have written about since the call before: `all` at the first call, as long as a table is
 * empty, and where the client has moved to another server. Nothing that was written before a call begins is missed. Calls must not overlap.
 */
export function coverageChangesReader(
  client: ClickHouseClient,
): (signal: AbortSignal) => Promise<ChangedStations> {
  let before: readonly Part[] = [];
  let nodeChanges = countNodeChanges(client);
  return async (signal) => {
    const now = await selectRows<Part>(client, { query: PARTS, settings: POINT_READ }, signal);
    if (nodeChanges !== countNodeChanges(client)) before = [];
    nodeChanges = countNodeChanges(client);
    // Rows that were written to an empty table and deleted since then have left no trace.
    const parts = TABLES.every((table) => before.some((part) => part.table === table))
      ? addedParts(before, now)
      : 'all';
    const changed = parts === 'all' ? parts : await stationsIn(client, parts, signal);
    before = now;
    return changed;
  };
}

async function stationsIn(
  client: ClickHouseClient,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<ChangedStations> {
  const changed = new Set<string>();
  for (const table of new Set(parts.map((part) => part.table))) {
    const names = parts.filter((part) => part.table === table).map(({ name }) => name);
    const found = await selectRows<{ part: string; stations: readonly string[] }>(
      client,
      { query: fillSql(STATIONS, { table }), params: { parts: names }, settings: POINT_READ },
      signal,
    );
    // A part was merged between the two statements: its rows are in another part now, among old ones.
    if (found.length < names.length) return 'all';
    for (const { stations } of found) for (const station of stations) changed.add(station);
  }
  return changed;
}
