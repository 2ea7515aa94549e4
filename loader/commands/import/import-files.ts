import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import type { Archive } from '../../../clickhouse/archive.ts';
import { newRun } from '../../../clickhouse/coverage/ledger/ledger.ts';
import { addDays, clip, dayOf } from '../../../clickhouse/model/day.ts';
import { type Scope, windowOfDays } from '../../../clickhouse/model/time-window.ts';
import { recordStationDescriptions } from '../../../clickhouse/stations.ts';
import { retryStorage } from '../../http/retry-policy.ts';
import type { Interruption } from '../../interruption.ts';
import { reclassifyYear } from '../../pipeline/reclassify.ts';
import { MinuteHistogram } from '../../pipeline/report-type.ts';
import { Writer } from '../../pipeline/writer.ts';
import type { LoadProgress, LoadResult } from '../../progress/load-progress.ts';
import { tarEntries, unzipped } from '../../sources/body.ts';
import type { SentPlace } from '../../sources/format.ts';
import { parseHistory } from '../../sources/ncei/ncei.ts';
import { fileFormats, WHOLE_FILE_FORMATS } from '../../sources/registry.ts';
import { type Body, InvalidResponseError, UnreadableFileError } from '../../sources/source.ts';
import { toStationDescription } from '../../sources/station-lists.ts';
import { EMPTY_FILE, importFile } from './import-file.ts';
import { parquetFormat } from './parquet.ts';

export type FilesToImport = {
  readonly paths: readonly string[];
  /** Reports of other stations and days are skipped. */
  readonly scope: Scope;
};

const TAR = /\.(tar|tar\.gz|tgz)$/i;

/** An ISD file lacks its station's ICAO code, so ISD's station list must be among the files. */
const ISD_HISTORY = /^isd-history\.csv(\.gz)?$/;

/**
 * Loads files and folders of files in the formats of the sources, such as a mirror. A report gets the rank of its source (D4). A file
 * does not say which days were requested, so no day is done by it (D13). One that cannot be read to its end counts as failed.
 */
export async function importFiles(
  archive: Archive,
  { paths: given, scope }: FilesToImport,
  progress: LoadProgress,
  { afterSlice, now: signal }: Interruption,
): Promise<void> {
  const paths: string[] = [];
  for (const path of given) for await (const file of filesAt(path)) paths.push(file);
  const histories = paths.filter((path) => ISD_HISTORY.test(basename(path)));
  const files = paths.filter((path) => !histories.includes(path));
  const context = importContext(archive, scope, await stationsByIsdId(histories), signal);
  progress.expect(files.length);
  for (const path of files) {
    if (afterSlice.aborted) break;
    const name = (given.length === 1 && relative(given[0] as string, path)) || path;
    progress.done(name, await importPath(context, { path, name }, progress, afterSlice));
  }
  if (!afterSlice.aborted)
    for (const year of context.years)
      await progress.track(`report types of ${year}`, () => reclassifyYear(context, year, signal));
  await describeByPlaces(context);
  await context.writer.close();
}

export type ImportContext = ReturnType<typeof importContext>;

function importContext(
  archive: Archive,
  scope: Scope,
  isdStations: ReadonlyMap<string, string>,
  signal: AbortSignal,
) {
  const tomorrow = addDays(dayOf(Date.now() / 1000), 1);
  const run = newRun();
  return {
    archive,
    signal,
    run,
    writer: new Writer(archive, run),
    minutes: new MinuteHistogram(),
    formats: fileFormats(isdStations),
    wholeFileFormats: [...WHOLE_FILE_FORMATS, parquetFormat(archive)],
    knownStations: new Set(isdStations.values()),
    stations: scope.stations.length === 0 ? undefined : new Set(scope.stations),
    days: scope,
    // A report with a time in the future is wrong.
    observedWithin: windowOfDays(clip(scope, { endDay: tomorrow })),
    /** Why a report outside this window is skipped. */
    outside: `outside ${scope.firstDay} to ${addDays(scope.endDay, -1)} (--from, --to)`,
    /** The calendar years whose types are provisional. */
    years: new Set<number>(),
    /** Places that rows state for stations whose reports are stored. */
    places: new Map<string, SentPlace>(),
  };
}

/** The rank of descriptions by places in files: after all sources, and before the list of aerodromes. */
const RANK_OF_FILES = 254;

/** Describes the stations whose rows state a place. Descriptions that sources publish have precedence. */
async function describeByPlaces({ archive, places, signal }: ImportContext): Promise<void> {
  const descriptions = [...places].map(([station, place]) =>
    toStationDescription('files', station, { ...place, country: undefined }),
  );
  const ranks = { rank: RANK_OF_FILES, elevationRank: RANK_OF_FILES };
  await retryStorage(() => recordStationDescriptions(archive, descriptions, ranks), signal);
}

async function identityOf(path: string): Promise<string> {
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats === undefined ? 'none' : [stats.dev, stats.ino, stats.size, stats.mtimeNs].join();
}

/** Follows links, and enters each folder once. A dangling link or a closed folder counts as an unreadable file. */
async function* filesAt(path: string, visited = new Set<string>()): AsyncGenerator<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) {
    const folder = await realpath(path);
    if (visited.has(folder)) return;
    visited.add(folder);
    const names = await readdir(path).catch(() => undefined);
    if (names === undefined) yield path;
    else for (const name of names.sort()) yield* filesAt(join(path, name), visited);
    // Anything else, such as a pipe, is read only if the user names it: reading a pipe in a folder might never end.
  } else if (found === undefined || found.isFile() || visited.size === 0) yield path;
}

const openFile = (path: string): Body => unzipped(bytesOfFile(path));

async function* bytesOfFile(path: string): Body {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw new UnreadableFileError((error as Error).message, { cause: error });
  }
}

/** ICAO codes by ISD station id. A damaged list ends the run, because every ISD file needs it. */
async function stationsByIsdId(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const stations = new Map<string, string>();
  for (const path of paths)
    try {
      for (const { id, station } of await parseHistory(openFile(path))) stations.set(id, station);
    } catch (error) {
      throw error instanceof InvalidResponseError ? new Error(`${path}: ${error.message}`) : error;
    }
  return stations;
}

/**
 * Loads a file, or each file of a tar archive as if it were in the folder. After a failure of ClickHouse, the tar archive is read
 * again from its start, without the files that are loaded. A file that changes while it is read counts as failed, because lines
 * can have been read that were never in it.
 */
async function importPath(
  context: ImportContext,
  { path, name }: { readonly path: string; readonly name: string },
  progress: LoadProgress,
  afterSlice: AbortSignal,
): Promise<LoadResult> {
  const before = await identityOf(path);
  let loaded = 0;
  const load = async (): Promise<LoadResult> => {
    if (!TAR.test(path))
      return progress.track(name, () => importFile(context, openFile(path), basename(path)));
    let at = 0;
    for await (const entry of tarEntries(openFile(path))) {
      if (afterSlice.aborted) break;
      at += 1;
      if (at <= loaded) continue;
      const entryName = `${name}/${entry.name}`;
      const result = await progress.track(entryName, () =>
        importFile(context, unzipped(entry.content), entry.name),
      );
      loaded = at;
      // The archive itself is counted already.
      progress.expect(1);
      progress.done(entryName, result);
    }
    return at === 0 ? EMPTY_FILE : { kind: 'loaded' };
  };
  try {
    const result = await retryStorage(load, context.signal);
    if (result.kind === 'failed' || (await identityOf(path)) === before) return result;
    return { kind: 'failed', reason: 'it changed while it was read: import it again once it is complete' };
  } catch (error) {
    if (error instanceof UnreadableFileError) return { kind: 'failed', reason: error.message };
    throw error;
  }
}
