import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Running, run, startLoader } from '../../support/process.ts';
import type { LoadSource } from '../loader/load-archive.ts';
import { enginePort, type Service, startService } from '../service.ts';
import { selectAs, sendAs, untilNone } from './claims.ts';
import type { Disk } from './disk.ts';

export const STATIONS = 6;
const MANY_SLICES = '2005-01-01';
const MERGED_TABLES = ['observations', 'coverage', 'slices'];
/** The engine looks for old parts every 30 to 40 seconds, and more rarely where it finds none. */
const DELETED_AT_ONCE =
  'old_parts_lifetime = 0, cleanup_delay_period = 1, cleanup_delay_period_random_add = 0, max_cleanup_delay_period = 1';
export const SLICES_BEFORE_FAILURE = 12;

/** What a run has acknowledged before the power fails. */
export type Acknowledged = {
  /** Every report of the source: the loader ended with exit code 0. */
  readonly isLoaded?: boolean;
  readonly keys?: readonly string[];
  readonly revoked?: readonly string[];
  /** What still runs. */
  readonly loader?: Running;
  readonly service?: Service;
};

export type Run = {
  readonly disk: Disk;
  readonly source: LoadSource;
  readonly env: Readonly<Record<string, string>>;
};

async function load({ source, env }: Run, args = source.args(0), ends = 0): Promise<void> {
  const { code, out } = await startLoader(args, env).finished;
  if (code !== ends) throw new Error(`The loader: exit code ${code}: ${out}`);
}

export async function afterLoad(run: Run): Promise<Acknowledged> {
  await load(run);
  return { isLoaded: true };
}

export async function afterManySlices(run: Run): Promise<Acknowledged> {
  // Years without a report are not done before a second source or a later load has found them empty.
  await load(run, run.source.args(0).replace('--from 2023-01-01', `--from ${MANY_SLICES}`), 3);
  return { isLoaded: true };
}

export async function duringLoad({ source, env }: Run): Promise<Acknowledged> {
  const loader = startLoader(source.args(0.05), env);
  while (source.requests() < SLICES_BEFORE_FAILURE) await sleep(20);
  return { loader };
}

/** The snapshot is of another archive, and on the same disk: what an export has acknowledged is synced. */
export async function duringImport({ disk: { dataDir }, source, env }: Run): Promise<Acknowledged> {
  const other = await mkdtemp(join(tmpdir(), 'exported-'));
  const snapshot = join(dataDir, '..', 'snapshot');
  try {
    const run = {
      disk: { dataDir: other } as Disk,
      source,
      env: { ...env, ...(await enginePort()), DATA_DIR: other },
    };
    await load(run);
    await load(run, `export ${snapshot}`);
  } finally {
    await rm(other, { recursive: true, force: true });
  }
  const loader = startLoader(`restore ${snapshot}`, env);
  const hasReports = async () => {
    const rows = await selectAs(dataDir, 'loader', 'SELECT 1 FROM observations LIMIT 1').catch(() => []);
    return rows.length > 0;
  };
  while (!(await hasReports())) await sleep(10);
  return { loader };
}

export async function afterMerges(run: Run): Promise<Acknowledged> {
  const { dataDir } = run.disk;
  const service = await startService({ dataDir });
  const stations = /--stations (\S+)/.exec(run.source.args(0))?.[1]?.split(',') ?? [];
  const argsOf = (some: readonly string[]) => run.source.args(0).replace(stations.join(','), some.join(','));
  await load(run, argsOf(stations.slice(0, STATIONS / 2)));
  await promisify(execFile)('sync', ['-f', dataDir]);
  await load(run, argsOf(stations.slice(STATIONS / 2)));
  for (const table of MERGED_TABLES) {
    await sendAs(dataDir, 'admin', `ALTER TABLE ${table} MODIFY SETTING ${DELETED_AT_ONCE}`);
    await sendAs(dataDir, 'admin', `OPTIMIZE TABLE ${table} FINAL`);
  }
  const old = `system.parts WHERE NOT active AND table IN ('${MERGED_TABLES.join("', '")}')`;
  if (!(await untilNone(dataDir, old))) {
    await service.stop();
    throw new Error('The old parts are still there');
  }
  return { isLoaded: true, service };
}

export async function whileKeysAreMade({ disk: { dataDir } }: Run): Promise<Acknowledged> {
  const keysCommand = async (...args: string[]) =>
    (await run('keys', args, { DATA_DIR: dataDir }).finished).stdout;
  const service = await startService({ dataDir });
  const printed: string[] = [];
  for (let made = 0; made < 6; made += 1) {
    const out = await keysCommand('create', '--plan', 'starter');
    printed.push(out.trim().split('\n').at(-1) ?? '');
  }
  const listed = JSON.parse(await keysCommand('list', '--json')) as readonly { readonly id: string }[];
  for (const { id } of listed.slice(0, 2)) await keysCommand('revoke', id);
  void keysCommand('create', '--plan', 'starter');
  await sleep(100);
  return { keys: printed.slice(2), revoked: printed.slice(0, 2), service };
}
