import type { Archive } from '../archive.ts';
import type { Source } from '../model/report.ts';
import { selectRows } from '../statements/select.ts';
import { readStatement } from '../statements/sql.ts';

/** What a source publishes about a station. Values that it does not state are absent. */
export type StationDescription = {
  readonly source: Source;
  /** ICAO code. */
  readonly station: string;
  readonly name?: string;
  /** ISO 3166-1 alpha-2. */
  readonly country?: string;
  readonly position?: Coordinates;
  /** Meters above mean sea level. */
  readonly elevation_m?: number;
  /** IANA name. */
  readonly timezone?: string;
};

/** In degrees: north from -90 to 90, east from -180 to 180. */
export type Coordinates = { readonly latitude: number; readonly longitude: number };

/** Decides whose values count if several sources describe a station: the lowest rank's. */
export type DescriptionRanks = {
  /** Of name, country, position and time zone. */
  readonly rank: number;
  readonly elevationRank: number;
};

/** Names and positions seldom change: a description is stored again when this old. */
const FRESH_FOR_DAYS = 30;

const FRESHLY_DESCRIBED = readStatement('stations/freshly_described');

/** Stores descriptions from a source, replacing its earlier ones. */
export async function recordStationDescriptions(
  archive: Archive,
  descriptions: readonly StationDescription[],
  signal: AbortSignal,
  ranks: DescriptionRanks,
): Promise<void> {
  if (descriptions.length === 0) return;
  const values = descriptions.map(({ position, ...others }) => ({ ...others, ...position, ...ranks }));
  await archive.insert({ table: 'station_descriptions', rows: values }, signal);
}

/** Stores the descriptions of stations that the source has not described for 30 days. */
export async function recordOutdatedDescriptions(
  archive: Archive,
  source: Source,
  descriptions: readonly StationDescription[],
  now: Date,
  signal: AbortSignal,
  ranks: DescriptionRanks,
): Promise<void> {
  if (descriptions.length === 0) return;
  const since = Math.floor(now.getTime() / 1000) - FRESH_FOR_DAYS * 86_400;
  const rows = await selectRows<{ station: string }>(
    archive,
    { query: FRESHLY_DESCRIBED, params: { source, since } },
    signal,
  );
  const fresh = new Set(rows.map(({ station }) => station));
  const outdated = descriptions.filter(({ station }) => !fresh.has(station));
  await recordStationDescriptions(archive, outdated, signal, ranks);
}
