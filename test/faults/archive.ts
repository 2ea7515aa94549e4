import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/engine/engine.ts';
import { startLoader } from '../support/process.ts';

const LOAD = '--source demo --stations XAAA,XAAB,XAAC,XAAD --from 2023-01-01 --to 2024-01-01';

let loaded: Promise<string> | undefined;

/** A new data directory that holds a year of four stations, about 37,000 reports. It is loaded once and then copied. */
export async function copyOfArchive(): Promise<string> {
  loaded ??= load();
  const dataDir = await emptyDirectory();
  await cp(await loaded, dataDir, { recursive: true });
  return dataDir;
}

export function emptyDirectory(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'faults-'));
}

export async function removeArchive(): Promise<void> {
  if (loaded !== undefined) await rm(await loaded, { recursive: true, force: true });
  loaded = undefined;
}

async function load(): Promise<string> {
  const dataDir = await emptyDirectory();
  const port = String(await freePort());
  const { code, out } = await startLoader(LOAD, { DATA_DIR: dataDir, EMBEDDED_CLICKHOUSE_PORT: port })
    .finished;
  assert.equal(code, 0, out);
  return dataDir;
}
