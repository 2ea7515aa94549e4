import { type Day, type DayRange, parseDay } from '../model/day.ts';
import { ICAO_CODE } from '../model/report.ts';
import { SNAPSHOT_TABLES } from './export-files.ts';

/** A snapshot or its folder cannot be used. The message is one line for the user, and says what to do. */
export class SnapshotError extends Error {
  override readonly name = 'SnapshotError';
}

/** The error of a file that no export wrote. */
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
export const FORMAT_VERSION = '1.1';
const MAJOR = FORMAT_VERSION.split('.')[0];

const REPORT_PATH = /^reports\/year=(\d{4})\/\d{5}\.parquet$/;
const TABLE_PATHS: readonly string[] = SNAPSHOT_TABLES.map(tablePath);
/** Those of every snapshot of the major version. */
const NEEDED_PATHS = TABLE_PATHS.filter((path) => path !== tablePath('hidden_reports'));

export function tablePath(table: (typeof SNAPSHOT_TABLES)[number]): string {
  return `${table}.parquet`;
}

/** @param number from 1 */
export function reportPath(year: number, number: number): string {
  return `reports/year=${year}/${String(number).padStart(5, '0')}.parquet`;
}

/** Whether a path can belong to a snapshot. No others are read, written or removed. */
export function isSnapshotPath(path: string): boolean {
  return TABLE_PATHS.includes(path) || REPORT_PATH.test(path);
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
  const wrong = firstMistake(value, isWhole);
  if (wrong !== undefined)
    throw new SnapshotError(`${name} is damaged: ${wrong}: copy or export the snapshot again`);
  return value as Manifest;
}

type Unchecked = { readonly [Key in keyof Manifest]?: unknown };

function parseJson(text: string): Unchecked | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function firstMistake(
  { firstDay, endDay, stations, files, reports }: Unchecked,
  isWhole: boolean,
): string | undefined {
  if (!isDay(firstDay) || !isDay(endDay) || firstDay >= endDay)
    return 'firstDay and endDay are not a range of days';
  if (stations !== 'all' && !(Array.isArray(stations) && stations.every(isStation)))
    return 'stations is neither "all" nor a list of codes';
  if (!isCount(reports)) return 'reports is not a number';
  if (!Array.isArray(files)) return 'files is not a list';
  for (const file of files) {
    const wrong = mistakeOf(file ?? {});
    if (wrong !== undefined) return wrong;
  }
  const paths = files.map(({ path }: SnapshotFile) => path);
  const missing = NEEDED_PATHS.find((path) => !paths.includes(path));
  if (isWhole && missing !== undefined) return `files has no ${missing}`;
  return new Set(paths).size < paths.length ? 'files names a path twice' : undefined;
}

function mistakeOf(file: { readonly [Key in keyof SnapshotFile]?: unknown }): string | undefined {
  const { path, bytes, rows, sha256, reports } = file;
  if (typeof path !== 'string' || !isSnapshotPath(path))
    return `files has the path ${JSON.stringify(path)?.slice(0, 80)}, which no snapshot has`;
  if (!isCount(bytes) || !isCount(rows) || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    return `bytes, rows or sha256 of ${path} are missing`;
  const [, year] = REPORT_PATH.exec(path) ?? [];
  if (year === undefined) return undefined;
  const content = (reports ?? {}) as { readonly [Key in keyof ReportFileContent]?: unknown };
  const { firstStation, lastStation } = content;
  const isComplete =
    content.year === Number(year) &&
    isStation(firstStation) &&
    isStation(lastStation) &&
    firstStation <= lastStation &&
    typeof content.state === 'string';
  return isComplete ? undefined : `year or stations of ${path} are missing`;
}

function isDay(value: unknown): value is Day {
  return typeof value === 'string' && parseDay(value) !== undefined;
}

function isStation(value: unknown): value is string {
  return typeof value === 'string' && ICAO_CODE.test(value);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
