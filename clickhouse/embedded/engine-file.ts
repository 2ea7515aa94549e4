import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What `DATA_DIR/engine.json` says of the engine that serves the directory. */
export type EngineRecord = {
  readonly pid: number;
  /** Tells this process from a later one with the same pid; absent where the platform does not say it. */
  readonly startTime?: string | undefined;
  readonly port: number;
  readonly instance: string;
  /** The users have rights on this database alone. */
  readonly database: string;
};

/** Undefined where there is no record, or none that can be read. */
export async function readEngineFile(dataDir: string): Promise<EngineRecord | undefined> {
  try {
    const record = JSON.parse(await readFile(engineFile(dataDir), 'utf8'));
    const isWhole =
      Number.isInteger(record.pid) &&
      Number.isInteger(record.port) &&
      typeof record.instance === 'string' &&
      typeof record.database === 'string';
    return isWhole ? record : undefined;
  } catch {
    return undefined;
  }
}

export async function writeEngineFile(dataDir: string, record: EngineRecord): Promise<void> {
  await replaceFile(engineFile(dataDir), record);
}

/** Removes the record unless another engine has written its own since. */
export async function removeEngineFile(dataDir: string, instance: string): Promise<void> {
  if ((await readEngineFile(dataDir))?.instance === instance) await rm(engineFile(dataDir), { force: true });
}

/** Writes a new file and renames it, so that a reader never sees half of it. Its owner alone may read it. */
export async function replaceFile(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}

function engineFile(dataDir: string): string {
  return join(dataDir, 'engine.json');
}
