import type { Archive } from '../../archive.ts';
import { isOtherServerUnavailable } from '../../errors.ts';
import { POINT_READ, selectRows } from '../../statements/select.ts';
import { fillSql, readStatement } from '../../statements/sql.ts';
import { addedParts, type Part } from './table-parts.ts';

/**
 * The tables behind pages and coverage. They include the reports, because not every change reaches `coverage`:
 * retracted and NIL reports and deletes do not, and new rows of the two tables become visible at different times.
 */
const TABLES = ['coverage', 'stations', 'observations'];
/**
 * If new parts have more rows than this, their stations are not read: an insert has at most a million, so the rest were
 * merged with old ones.
 */
const MAX_ADDED_ROWS = 2_000_000;
const PARTS = TABLES.map((table) => fillSql(readStatement('coverage/table_parts'), { table })).join(
  'UNION ALL\n',
);
const STATIONS = readStatement('coverage/stations_in_parts');

/** Stations whose reports, coverage or listings may have changed; `all` if unknown. */
export type ChangedStations = ReadonlySet<string> | 'all';

/**
 * Reads which stations loaders have written about since the previous call: `all` on the first call, while a table is
 * empty, and after the client moves to another server. Nothing written before a call begins is missed. Calls must not
 * overlap.
 */
export function archiveChangesReader(client: Archive): (signal: AbortSignal) => Promise<ChangedStations> {
  let before: readonly Part[] = [];
  let serverChanges = client.countServerChanges();
  return async (signal) => {
    const now = await readParts(client, signal);
    if (serverChanges !== client.countServerChanges()) before = [];
    serverChanges = client.countServerChanges();
    // Rows written to an empty table and deleted since have left no trace.
    const parts = TABLES.every((table) => before.some((part) => part.table === table))
      ? addedParts(before, now)
      : 'all';
    const isKnown = parts !== 'all' && parts.reduce((sum, { rows }) => sum + rows, 0) <= MAX_ADDED_ROWS;
    const changed = isKnown ? await stationsIn(client, parts, signal) : 'all';
    before = now;
    return changed;
  };
}

/** None if a cluster shard does not respond: its changes are unknown, and stations on other shards are served. */
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
    // A part was merged between the two statements: its rows are now in another part, among old ones.
    const added = found.filter(({ part }) => names.has(part));
    if (added.length < names.size) return 'all';
    for (const { stations } of added) for (const station of stations) changed.add(station);
  }
  return changed;
}

function withoutShard(name: string): string {
  return name.slice(name.indexOf('-') + 1);
}
