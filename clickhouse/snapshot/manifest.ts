import { Ajv } from 'ajv';
import type { DayRange } from '../model/day.ts';
import { ICAO_CODE } from '../model/report.ts';
import { SNAPSHOT_TABLES } from './export-files.ts';

/** A snapshot or its folder cannot be used. The message is one line for the user, and says what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

export function damaged(what: string): SnapshotError {
  return new SnapshotError(`${what}: the snapshot is damaged, copy or export it again`);
}

/** What a snapshot holds, and how to verify each file. Written last. */
export type Manifest = DayRange & {
  readonly format: typeof FORMAT;
  /** `major.minor`: a loader reads every minor version of its major version. */
  readonly version: string;
  /** RFC 3339. */
  readonly createdAt: string;
  readonly createdBy: string;
  /** The version of the decoder of that program: reports may have been decoded by an older one. */
  readonly decoder: number;
  /** Codes, or `all`. */
  readonly stations: 'all' | readonly string[];
  readonly reports: number;
  readonly attribution: string;
  readonly files: readonly SnapshotFile[];
};

export type SnapshotFile = {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
  readonly rows: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Set for files of reports: a calendar year, and the codes of the first and the last station. */
  readonly reports?: ReportFileContent;
};

export type ReportFileContent = {
  readonly year: number;
  readonly firstStation: string;
  readonly lastStation: string;
  /** Differs if the archive holds other reports of these stations. */
  readonly state: string;
};

export const MANIFEST = 'manifest.json';
/** While an export runs, or after it was stopped, the folder has this in place of its manifest. */
export const UNFINISHED = 'manifest.unfinished.json';
export const FORMAT = 'historical-observations/snapshot';
export const FORMAT_VERSION = '1.2';
const MAJOR = FORMAT_VERSION.split('.')[0];

/** No other files are read, written or removed. */
export const SNAPSHOT_PATH = new RegExp(
  `^(?:${SNAPSHOT_TABLES.join('|')}|(?:reports|days)/year=(\\d{4})(?:/\\d{5})?)\\.parquet$`,
);

const DAY = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' };
const COUNT_SCHEMA = { type: 'integer', minimum: 0 };
const STATION_SCHEMA = { type: 'string', pattern: ICAO_CODE.source };

// As in `compileSchema`: a check of the schema takes longer than its use.
const ajv = new Ajv({ validateSchema: false });
const isManifest = ajv.compile<Manifest>({
  type: 'object',
  required: ['firstDay', 'endDay', 'stations', 'reports', 'files'],
  properties: {
    firstDay: DAY,
    endDay: DAY,
    stations: { anyOf: [{ const: 'all' }, { type: 'array', items: STATION_SCHEMA }] },
    reports: COUNT_SCHEMA,
    files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'bytes', 'rows', 'sha256'],
        properties: {
          path: { type: 'string', pattern: SNAPSHOT_PATH.source },
          bytes: COUNT_SCHEMA,
          rows: COUNT_SCHEMA,
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
          reports: {
            type: 'object',
            required: ['year', 'firstStation', 'lastStation', 'state'],
            properties: {
              year: COUNT_SCHEMA,
              firstStation: STATION_SCHEMA,
              lastStation: STATION_SCHEMA,
              state: { type: 'string' },
            },
          },
        },
      },
    },
  },
});

export function tablePath(table: (typeof SNAPSHOT_TABLES)[number]): string {
  return `${table}.parquet`;
}

/** @param number from 1 */
export function reportPath(year: number, number: number): string {
  return `reports/year=${year}/${String(number).padStart(5, '0')}.parquet`;
}

export function dayPath(year: number): string {
  return `days/year=${year}.parquet`;
}

/** The calendar year of a file of reports or of days. */
export function yearOfPath(path: string): number | undefined {
  const [, year] = SNAPSHOT_PATH.exec(path) ?? [];
  return year === undefined ? undefined : Number(year);
}

/**
 * @param name of the file, for the errors
 * @param isWhole whether it must have every file that a snapshot has
 * @throws SnapshotError if it is not a manifest of this major version
 */
export function parseManifest(text: string, name: string, isWhole = true): Manifest {
  const value = parseJson(text);
  if (value?.format !== FORMAT)
    throw new SnapshotError(`${name} is not the manifest of a snapshot: name the folder of a snapshot`);
  const { version } = value;
  if (typeof version !== 'string' || version.split('.')[0] !== MAJOR)
    throw new SnapshotError(
      `${name}: the snapshot has format ${JSON.stringify(version)}, and this program reads ${MAJOR}.x: use a program that reads it, or export it again`,
    );
  const damage = `${name} is damaged: copy or export the snapshot again`;
  if (!isManifest(value))
    throw new SnapshotError(`${damage}: ${ajv.errorsText(isManifest.errors, { dataVar: 'manifest' })}`);
  const missing = SNAPSHOT_TABLES.map(tablePath).find(
    (needed) => !value.files.some(({ path }) => path === needed),
  );
  if (isWhole && missing !== undefined) throw new SnapshotError(`${damage}: files has no ${missing}`);
  return value;
}

function parseJson(text: string): Partial<Manifest> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
