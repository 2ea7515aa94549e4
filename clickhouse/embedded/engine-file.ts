import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFile } from '../durable-file.ts';
import type { EngineProcess } from './engine-process.ts';
import type { Proof } from './proof.ts';

/** What `DATA_DIR/engine.json` says of the engine that serves the directory. */
export type EngineRecord = {
  readonly pid: number;
  readonly startTime: string;
  readonly port: number;
  readonly instance: string;
  readonly proof: Proof;
  /** The users have rights on this database alone. */
  readonly database: string;
};

export function engineFile(dataDir: string): string {
  return join(dataDir, 'engine.json');
}

/** Undefined where there is no record, or none that can be read. */
export async function readEngineFile(dataDir: string): Promise<EngineRecord | undefined> {
  const record = await readJson(engineFile(dataDir));
  return typeof record?.instance === 'string' && typeof record.proof?.answer === 'string'
    ? record
    : undefined;
}

/** The process of a record that an older version has written: its engine cannot prove itself, so no login is sent to it. */
export async function readOlderRecord(dataDir: string): Promise<EngineProcess | undefined> {
  const record = await readJson(engineFile(dataDir));
  return typeof record?.instance === 'string' && record.proof === undefined ? record : undefined;
}

/** Undefined where the file is missing or damaged. */
export async function readJson(path: string) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A reader never sees half of it, nor after a power failure. Its owner alone may read it. */
export function writeJson(path: string, value: unknown): Promise<void> {
  return replaceFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}
