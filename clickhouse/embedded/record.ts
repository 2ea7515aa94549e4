import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What `DATA_DIR/engine.json` says of the engine that serves the directory. */
export type EngineRecord = { readonly pid: number; readonly port: number; readonly instance: string };

/** The record as it stands; undefined where there is none, or none that can be read. */
export async function readRecord(dataDir: string): Promise<EngineRecord | undefined> {
  try {
    const { pid, port, instance } = JSON.parse(await readFile(path(dataDir), 'utf8'));
    const sound = Number.isInteger(pid) && Number.isInteger(port) && typeof instance === 'string';
    return sound ? { pid, port, instance } : undefined;
  } catch {
    return undefined;
  }
}

/** Written beside and renamed, so that a reader never sees half of it. */
export async function writeRecord(dataDir: string, record: EngineRecord): Promise<void> {
  const draft = `${path(dataDir)}.${record.instance}`;
  await writeFile(draft, `${JSON.stringify(record, undefined, 2)}\n`);
  await rename(draft, path(dataDir));
}

/** Removes the record unless another engine has written its own since. */
export async function removeRecord(dataDir: string, instance: string): Promise<void> {
  if ((await readRecord(dataDir))?.instance === instance) await rm(path(dataDir), { force: true });
}

function path(dataDir: string): string {
  return join(dataDir, 'engine.json');
}
