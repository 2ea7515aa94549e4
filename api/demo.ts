import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClickHouseClient } from '@clickhouse/client';
import { pageReader } from '../clickhouse/observations/page.ts';
import { issueKey, type KeyStore } from './auth/key-store.ts';
import { formatError, type Log } from './ops/log.ts';

/** What the loader's generator makes: synthetic reports of stations that ICAO allocates to nobody. */
const DEMO = { stations: ['XAAA', 'XAAB', 'XAAC'], from: '2024-01-01', to: '2024-02-01' } as const;

/** The id of the one demo key, and its account. */
const DEMO_KEY = 'demo';

/** What may lie in a folder that is still new: an operator can make keys before the first start. */
const NOT_AN_ARCHIVE = new Set(['keys.jsonl']);

const LOADER = fileURLToPath(new URL('../loader/main.ts', import.meta.url));

/**
 * Whether this folder gets demo records: it is new, or a start that was filling it was cut off. The folder is marked
 * before anything else is written to it, so call this first.
 */
export async function claimForDemo(dataDir: string): Promise<boolean> {
  await mkdir(dataDir, { recursive: true });
  const state = await readFile(marker(dataDir), 'utf8').catch(() => undefined);
  if (state !== undefined) return state.trim() === 'loading';
  if ((await readdir(dataDir)).some((name) => !NOT_AN_ARCHIVE.has(name))) return false;
  await writeFile(marker(dataDir), 'loading\n');
  return true;
}

/** Fills the claimed folder by running the loader, which joins the engine that we have joined. Repeating it adds nothing. */
export async function loadDemo(dataDir: string, log: Log, signal: AbortSignal): Promise<void> {
  const { stations, from, to } = DEMO;
  const options = ['--source', 'demo', '--stations', stations.join(','), '--from', from, '--to', to];
  const loader = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), LOADER, ...options], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
  });
  let said = '';
  loader.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-2000);
  });
  try {
    const [code] = await once(loader, 'close');
    if (code === 0) await writeFile(marker(dataDir), 'loaded\n');
    else log('warn', 'demo records not loaded', { said });
  } catch (error) {
    log('warn', 'demo records not loaded', { error: formatError(error) });
  }
}

/** Replaces the demo key, where there is something to read with it. */
export async function replaceDemoKey(
  keys: KeyStore,
  archive: ClickHouseClient,
  signal: AbortSignal,
): Promise<string | undefined> {
  await revokeDemoKey(keys);
  const range = { from: Date.parse(DEMO.from), to: Date.parse(DEMO.to) };
  const request = {
    ...range,
    stations: DEMO.stations,
    types: ['METAR'],
    raw: false,
    decoded: false,
    limit: 1,
  } as const;
  const { records } = await pageReader(archive)(request, signal);
  return records.length === 0
    ? undefined
    : issueKey(keys, { id: DEMO_KEY, account: DEMO_KEY, plan: 'starter' });
}

export async function revokeDemoKey(keys: KeyStore): Promise<void> {
  await keys.revoke(DEMO_KEY);
}

/** A line for the shell that shows the first reports of the demo. */
export function demoRequest(url: string, key: string): string {
  const query = `stations=${DEMO.stations.join(',')}&from=${DEMO.from}T00:00:00Z&to=${DEMO.to}T00:00:00Z&include=raw,decoded&limit=3`;
  return `curl -s -H 'Authorization: Bearer ${key}' '${url}/v1/history/observations?${query}'`;
}

function marker(dataDir: string): string {
  return join(dataDir, 'demo');
}
