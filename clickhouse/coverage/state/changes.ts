import type { Archive } from '../../archive.ts';
import { isOtherServerUnavailable } from '../../errors.ts';
import { POINT_READ } from '../../statements/query-settings.ts';
import { selectRows } from '../../statements/select.ts';
import { fillSql, readSqlFile } from '../../statements/sql-file.ts';
import { addedParts, type Part } from './table-parts.ts';

/**
 * The tables that pages and coverage come from. The reports themselves are among them, because not every change of them
 * reaches `coverage`: a retracted report and NIL do not, a delete does not, and the new rows of both tables become
 * visible one after the other.
 */
const TABLES = ['coverage', 'stations', 'observations'];
/**
 * Rows in new parts beyond which their stations are not read: an insert has at most a million, so more have been merged
 * with old ones.
 */
const MAX_ADDED_ROWS = 2_000_000;
const PARTS = TABLES.map((table) => fillSql(readSqlFile('coverage/state/table_parts'), { table })).join(
  'UNION ALL\n',
);
const STATIONS = readSqlFile('coverage/state/stations_in_parts');

/** Stations whose reports, coverage or listings may have changed; `all` where that is not known. */
export type ChangedStations = ReadonlySet<string> | 'all';

/**
 * Reads which stations loaders have written about since the call before: `all` at the first call, as long as a table is
 * empty, and where the client has moved to another server. Nothing that was written before a call begins is missed.
 * Calls must not overlap.
 */
export function archiveChangesReader(client: Archive): (signal: AbortSignal) => Promise<ChangedStations> {
  let before: readonly Part[] = [];
  let serverChanges = client.countServerChanges();
  return async (signal) => {
    const now = await readParts(client, signal);
    if (serverChanges !== client.countServerChanges()) before = [];
    serverChanges = client.countServerChanges();
    // Rows that were written to an empty table and deleted since then have left no trace.
    const parts = TABLES.every((table) => before.some((part) => part.table === table))
      ? addedParts(before, now)
      : 'all';
    const isKnown = parts !== 'all' && parts.reduce((sum, { rows }) => sum + rows, 0) <= MAX_ADDED_ROWS;
    const changed = isKnown ? await stationsIn(client, parts, signal) : 'all';
    before = now;
    return changed;
  };
}

/** None where a shard of a cluster does not respond: its changes are not known, and stations of other shards are served. */
async function readParts(client: Archive, signal: AbortSignal): Promise<readonly Part[]> {
  try {
    return await selectRows<Part>(client, { query: PARTS, settings: POINT_READ }, signal);
  } catch (error) {
    if (isOtherServerUnavailable(error)) return [];
    throw error;
  }
}

async function stationsIn(
  client: Archive,
  parts: readonly Part[],
  signal: AbortSignal,
): Promise<ChangedStations> {
  const changed = new Set<string>();
  for (const table of new Set(parts.map((part) => part.table))) {
    const names = new Set(parts.filter((part) => part.table === table).map(({ name }) => name));
    const found = await selectRows<{ part: string; stations: readonly string[] }>(
      client,
      {
        query: fillSql(STATIONS, { table }),
        params: { parts: [...names].map(withoutShard) },
        settings: POINT_READ,
      },
      signal,
    );
    // A part was merged between the two statements: its rows are in another part now, among old ones.
    const added = found.filter(({ part }) => names.has(part));
    if (added.length < names.size) return 'all';
    for (const { stations } of added) for (const station of stations) changed.add(station);
  }
  return changed;
}

function withoutShard(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}
