import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Archive } from '../clickhouse/archive.ts';
import { readCoverageStates } from '../clickhouse/coverage/state.ts';
import { makeFolder, replaceFile } from '../clickhouse/durable-file.ts';
import { programArguments } from '../clickhouse/typescript-program.ts';
import { issueKey, type KeyStore } from './auth/key-store.ts';
import { formatError, type Log } from './ops/log.ts';

/**
 * What the loader's source `demo` generates: synthetic reports of station codes that ICAO does not allocate. A whole
 * year and part of another, so that the coverage has both.
 */
const LOAD = {
  stations: ['XAAA', 'XAAB', 'XAAC', 'XAAD', 'XAAE', 'XAAF', 'XAAG'],
  from: '2023-12-11',
  to: '2025-01-01',
} as const;

/** The query of the first request. */
const EXAMPLE = { stations: ['XAAA', 'XAAB', 'XAAC'], from: '2024-01-01', to: '2024-02-01' } as const;

/** The id of the demo key, and its account. */
const DEMO_KEY = 'demo';

/**
 * Files that a new folder may contain: an operator can create keys before the first start, and a killed start leaves a
 * draft file, `demo.4711`.
 */
const FILE_OF_NEW_FOLDER = /^(keys\.jsonl|demo)(\.\d+)?$/;

/** The only place where `api` refers to the loader, as a program: it imports nothing from it. */
const LOADER = programArguments(new URL('../loader/main.ts', import.meta.url));

/**
 * Whether this folder gets demo records: it is new, or a start was interrupted while loading them. Writes a marker into
 * a new folder, so call this before anything else writes to it.
 */
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
  const { stations, from, to } = LOAD;
  const options = ['--source', 'demo', '--stations', stations.join(','), '--from', from, '--to', to];
  const loader = spawn(process.execPath, ['--max-semi-space-size=24', ...LOADER, ...options], {
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

/** Replaces the demo key when the archive has demo records. */
export async function replaceDemoKey(keys: KeyStore, archive: Archive): Promise<string | undefined> {
  await revokeDemoKey(keys);
  const states = await readCoverageStates(archive, EXAMPLE.stations);
  const hasReports = [...states.values()].some(({ reports }) => reports.length > 0);
  return hasReports ? issueKey(keys, { id: DEMO_KEY, account: DEMO_KEY, plan: 'starter' }) : undefined;
}

export async function revokeDemoKey(keys: KeyStore): Promise<void> {
  await keys.change(DEMO_KEY, { status: 'revoked' });
}

/** A shell command that shows the first demo reports. */
export function demoRequest(url: string, key: string): string {
  const query = `stations=${EXAMPLE.stations.join(',')}&from=${EXAMPLE.from}T00:00:00Z&to=${EXAMPLE.to}T00:00:00Z&include=raw,decoded&limit=3`;
  return `curl -s -H 'Authorization: Bearer ${key}' '${url}/v1/history/observations?${query}'`;
}

function markerOf(dataDir: string): string {
  return join(dataDir, 'demo');
}
