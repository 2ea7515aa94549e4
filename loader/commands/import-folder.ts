import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { ClickHouseClient } from '@clickhouse/client';
import { addDays, dayOf, dayStart } from '../../clickhouse/model/day.ts';
import { reclassifyYear } from '../pipeline/reclassify.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import { retryStorage } from '../pipeline/retry-storage.ts';
import type { Progress } from '../progress/progress.ts';
import { fileFormats } from '../sources/file-formats.ts';
import { parseHistory } from '../sources/ncei/isd-history.ts';
import { type Body, InvalidResponseError } from '../sources/source.ts';
import type { ImportCommand } from './args/import-args.ts';
import { type ImportContext, importFile } from './import-file.ts';

/** ISD's list of stations beside its files: without it a file does not tell its station. */
const HISTORY = /^isd-history\.csv(\.gz)?$/;

/**
 * Loads a folder of files in the formats of the sources, such as a mirror, each report under the rank of its true
 * source. A file does not tell what was asked of its source, nor when, so no day is done by it: whoever wants a
 * range proved loads it from the source, which then has little left to insert.
 *
 * @returns how many files could not be read to their end
 */
export async function importFolder(
  client: ClickHouseClient,
  { path: folder, scope }: ImportCommand,
  progress: Progress,
  noMore: AbortSignal,
  signal: AbortSignal,
): Promise<number> {
  const paths = await filesIn(folder);
  const histories = paths.filter((path) => HISTORY.test(basename(path)));
  const files = paths.filter((path) => !histories.includes(path));
  const keeping: ImportContext = {
    client,
    minutes: new MinuteHistogram(),
    listed: new Map(),
    signal,
    formats: fileFormats(await stationsByNumber(histories)),
    stations: scope.stations.length === 0 ? undefined : new Set(scope.stations),
    // Nothing was observed tomorrow, whatever its text says.
    observedWithin: {
      from: dayStart(scope.firstDay),
      to: Math.min(dayStart(scope.endDay), dayStart(addDays(dayOf(Date.now() / 1000), 1))),
    },
    years: new Set(),
  };
  progress.begin(files.length);
  let broken = 0;
  for (const path of files) {
    if (noMore.aborted) return broken;
    const name = relative(folder, path);
    const loaded = await retryStorage(() => importFile(keeping, contentOf(path)), signal);
    if (loaded.kind === 'failed') broken += 1;
    progress.finished(name, loaded);
  }
  for (const year of keeping.years) await reclassifyYear(client, year, signal);
  return broken;
}

/** Links are followed, each folder once. One that leads nowhere is a file that cannot be read, and is said to be. */
async function filesIn(folder: string, visited = new Set<string>()): Promise<readonly string[]> {
  const itself = await realpath(folder);
  if (visited.has(itself)) return [];
  visited.add(itself);
  const files: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) for (const file of await filesIn(path, visited)) files.push(file);
    else if (found === undefined || found.isFile()) files.push(path);
  }
  return files;
}

function contentOf(path: string): Body {
  const bytes = createReadStream(path);
  // Whoever reads the lines is told of a failure by the stream that they read.
  return path.endsWith('.gz') ? pipeline(bytes, createGunzip(), () => {}) : bytes;
}

/** ICAO codes by number. A list that is damaged is a mistake worth stopping for: every file depends on it. */
async function stationsByNumber(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const stations = new Map<string, string>();
  for (const path of paths)
    try {
      for (const { id, station } of await parseHistory(contentOf(path))) stations.set(id, station);
    } catch (error) {
      throw error instanceof InvalidResponseError ? new Error(`${path}: ${error.message}`) : error;
    }
  return stations;
}
