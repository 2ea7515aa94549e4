import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../../../clickhouse/archive.ts';
import { addDays, type Day, dayOf, FIRST_DAY } from '../../../clickhouse/model/day.ts';
import type { Scope } from '../../../clickhouse/model/time-window.ts';
import type { Manifest } from '../../../clickhouse/snapshot/manifest.ts';
import { exportSnapshot } from '../../../loader/snapshot/export.ts';
import { openSnapshotFolder } from '../../../loader/snapshot/snapshot-folder.ts';
import { NO_LIMIT } from '../archive/archive.ts';

export const NO_PROGRESS = () => () => {};
export const NEVER = { afterSlice: NO_LIMIT, now: NO_LIMIT };

/** Exports an archive, all of it unless a scope is given. */
export async function exportTo(client: Archive, path: string, scope: Partial<Scope> = {}, stop = NEVER) {
  const whole = { stations: [], firstDay: FIRST_DAY, endDay: addDays(dayOf(Date.now() / 1000), 1) as Day };
  const folder = await openSnapshotFolder(path);
  return exportSnapshot({ archive: client, progress: NO_PROGRESS, stop }, folder, { ...whole, ...scope });
}

export async function readManifest(path: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
}
