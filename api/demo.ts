import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../clickhouse/archive.ts';
import { readReportSources } from '../clickhouse/coverage/report-counts.ts';
import { makeFolder, replaceFile } from '../clickhouse/durable-file.ts';
import { programArguments } from '../clickhouse/typescript-program.ts';
import { hashKey, isWellFormedKey } from './auth/api-key.ts';
import { issueKey, isValidKey, type KeyRecord, type KeyStore } from './auth/key-store.ts';
import { formatError, type Log } from './ops/log.ts';

/** Codes that ICAO does not allocate; a whole year and part of another, so that the coverage has both. */
const LOAD = '--source demo --stations XAAA,XAAB,XAAC,XAAD,XAAE,XAAF,XAAG --from 2023-12-11 --to 2025-01-01';

const DEMO_KEY = 'demo';

/** Keys can be created before the first start, and a start that was killed can leave a temporary file such as `demo.4711`. */
const FILE_OF_NEW_FOLDER = /^(keys\.jsonl|demo)(\.\d+)?$/;

/** `api` refers to the loader only here, as a program: it imports nothing from it. */
const LOADER = programArguments(new URL('../loader/main.ts', import.meta.url));

/** Whether to load demo records: the folder is new, or a first start was interrupted. Call it before the folder is used. */
export async function claimForDemo(dataDir: string): Promise<boolean> {
  await makeFolder(dataDir);
  const state = await readFile(markerOf(dataDir), 'utf8').catch(() => undefined);
  if (state !== undefined) return state.trim() === 'loading';
  if ((await readdir(dataDir)).some((name) => !FILE_OF_NEW_FOLDER.test(name))) return false;
  await replaceFile(markerOf(dataDir), 'loading\n');
  return true;
}

/** Runs the loader, which joins the same embedded engine. Repeating it adds no record. */
export async function loadDemo(dataDir: string, log: Log, signal: AbortSignal): Promise<void> {
  const loader = spawn(process.execPath, ['--max-semi-space-size=24', ...LOADER, ...LOAD.split(' ')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let output = '';
  loader.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-2000);
  });
  try {
    const [code] = await once(loader, 'close');
    if (code === 0) await replaceFile(markerOf(dataDir), 'loaded\n');
    else log.warn('demo load failed', { output });
  } catch (error) {
    log.warn('demo load failed', { error: formatError(error) });
  }
}

/**
 * The key to print while the archive holds nothing but demo records. To be the same after a restart, it is stored as it is (no
 * other key is) in `DATA_DIR/demo.key`, which only its owner can read. It stays valid while the archive has demo records.
 *
 * @returns `undefined` also for a key that the operator has revoked
 */
export async function openDemoKey(keys: KeyStore, archive: Archive, dataDir: string) {
  const sources = await readReportSources(archive);
  if (!sources.includes('demo')) await removeDemoKey(keys, dataDir);
  if (sources.join() !== 'demo') return undefined;
  const stored = (await readFile(keyFileOf(dataDir), 'utf8').catch(() => '')).trim();
  const record = isWellFormedKey(stored) ? await keys.find(hashKey(stored)) : undefined;
  if (record !== undefined) return isValidKey(record) ? stored : undefined;
  await removeDemoKey(keys, dataDir);
  const key = await issueKey(keys, { id: DEMO_KEY, account: DEMO_KEY, plan: 'starter' });
  await replaceFile(keyFileOf(dataDir), `${key}\n`);
  return key;
}

export async function removeDemoKey(keys: KeyStore, dataDir: string): Promise<void> {
  const isActive = ({ id, status }: KeyRecord) => id === DEMO_KEY && status === 'active';
  if ((await keys.list()).some(isActive)) await keys.change(DEMO_KEY, { status: 'revoked' });
  await rm(keyFileOf(dataDir), { force: true });
}

export function keyFileOf(dataDir: string): string {
  return join(dataDir, 'demo.key');
}

export function demoRequest(url: string, key: string): string {
  const query =
    'stations=XAAA,XAAB,XAAC&from=2024-01-01T00:00:00Z&to=2024-02-01T00:00:00Z&include=raw,decoded&limit=3';
  return `curl -s -H 'Authorization: Bearer ${key}' '${url}/v1/history/observations?${query}'`;
}

function markerOf(dataDir: string): string {
  return join(dataDir, 'demo');
}
