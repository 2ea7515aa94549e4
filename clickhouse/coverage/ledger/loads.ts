import type { Archive } from '../../archive.ts';
import type { DayRange } from '../../model/day.ts';
import type { Source } from '../../model/report.ts';
import { selectRows } from '../../statements/select.ts';
import { readStatement } from '../../statements/sql.ts';

const LOAD_COSTS = readStatement('ledger/load_costs');
const LAST_LOADS = readStatement('ledger/last_loads');

/** What a run of the loader did with one source. */
export type LoadRecord = DayRange & {
  readonly source: Source;
  /** ICAO codes, or `*` alone; empty for a cycle of `follow`, whose days are in the ledger. */
  readonly stations: readonly string[];
  /** Slices loaded. */
  readonly slices: number;
  /** Days of these slices; 0 if they were not whole days. */
  readonly stationDays: number;
  readonly requests: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly inserted: number;
  /** Why the first failed slice failed; empty if none did. */
  readonly failure: string;
};

export async function recordLoad(
  client: Archive,
  load: LoadRecord,
  now: Date,
  signal: AbortSignal,
): Promise<void> {
  const endedAt = Math.floor(now.getTime() / 1000);
  await client.insert({ table: 'loads', rows: [{ ...load, endedAt }] }, signal);
}

export type LoadCosts = {
  readonly bytesPerDay: number;
  readonly requestsPerSlice: number;
  readonly secondsPerSlice: number;
};

/** Cost of the last loads of a source, of all stations or of single ones; `undefined` if there were none. */
export async function readLoadCosts(
  client: Archive,
  source: Source,
  allStations: boolean,
  signal: AbortSignal,
): Promise<LoadCosts | undefined> {
  const params = { source, allStations };
  const [costs] = await selectRows<LoadCosts>(client, { query: LOAD_COSTS, params }, signal);
  return costs;
}

/** Seconds since 1970-01-01T00:00:00Z; 0 if there was no such load. */
export type LastLoad = {
  readonly source: Source;
  readonly loadedAt: number;
  /** New reports of the last load. */
  readonly inserted: number;
  readonly failedAt: number;
  readonly failure: string;
};

/** The last load of each source, and the last with a failure. */
export async function readLastLoads(client: Archive, signal: AbortSignal): Promise<readonly LastLoad[]> {
  return selectRows<LastLoad>(client, { query: LAST_LOADS }, signal);
}
