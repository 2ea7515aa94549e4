import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { readEngineFile } from '../../../clickhouse/embedded/engine-file.ts';
import { type LoaderProcess, startLoader } from '../../support/loader/loader-process.ts';
import { nodeArguments, ROOT } from '../../support/process.ts';
import { Answers } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import type { Fault, Outcome } from '../fault.ts';
import { type LoadSource, startSource, walk } from '../loader/load-archive.ts';
import { enginePort, environment } from '../loader/load-kills.ts';
import { killQuietly, type Service, startService } from '../service.ts';
import { falseClaims, selectAs, sendAs } from './claims.ts';
import { type Disk, type FileSystem, makeDisk } from './disk.ts';

const STATIONS = 6;
const MANY_SLICES = '2005-01-01';
const MERGED_TABLES = ['observations', 'coverage', 'slices'];
const SLICES_BEFORE_FAILURE = 12;
const EXPECT = {
  answers: ['200', '401 invalid_credentials'],
  longestWaitMs: 5000,
  recoveryMs: 30_000,
} as const;

/** What a run has acknowledged before the power fails. */
type Acknowledged = {
  /** Every report of the source: the loader ended with exit code 0. */
  readonly isLoaded?: boolean;
  readonly keys?: readonly string[];
  readonly revoked?: readonly string[];
  /** What still runs. */
  readonly loader?: LoaderProcess;
  readonly service?: Service;
};

type Run = {
  readonly disk: Disk;
  readonly source: LoadSource;
  readonly env: Readonly<Record<string, string>>;
};

export const POWER_FAILURES: readonly Fault<undefined>[] = [
  ...(['ext4', 'xfs'] as const).flatMap((fileSystem) => [
    powerFailure(fileSystem, 'after a load', 'right after exit code 0 of a load', afterLoad),
    powerFailure(
      fileSystem,
      'after merges',
      'a load into a synced archive, a merge of all its parts, the old parts deleted',
      afterMerges,
    ),
  ]),
  powerFailure('ext4', 'during a load', `after ${SLICES_BEFORE_FAILURE} of 24 slices`, duringLoad),
  powerFailure('ext4', 'during an import', 'while a snapshot is imported', duringImport),
  powerFailure(
    'ext4',
    'after many slices',
    'a load of 19 years of six stations, most of them without reports',
    afterManySlices,
  ),
  powerFailure(
    'ext4',
    'while keys are made',
    'six keys printed, two revoked, and one under way',
    whileKeysAreMade,
  ),
];

function powerFailure(
  fileSystem: FileSystem,
  name: string,
  action: string,
  work: (run: Run) => Promise<Acknowledged>,
): Fault<undefined> {
  return {
    name: `Power failure ${name} (${fileSystem})`,
    action: `${action}; then the disk keeps what was synced and nothing else`,
    expect: EXPECT,
    async run() {
      const disk = await makeDisk(fileSystem);
      const source = await startSource(work === duringLoad ? 24 : STATIONS);
      try {
        const run = { disk, source, env: { ...environment(disk, source), ...(await enginePort()) } };
        const acknowledged = await work(run);
        await failAndRestart(run, acknowledged);
        return await judgeArchive(run, acknowledged);
      } finally {
        await source.close();
        await disk.remove();
      }
    },
  };
}

async function failAndRestart({ disk }: Run, { loader, service }: Acknowledged): Promise<void> {
  const engine = await readEngineFile(disk.dataDir);
  await disk.cutPower();
  service?.kill('SIGKILL');
  loader?.kill('SIGKILL');
  if (engine !== undefined) killQuietly(engine.pid);
  await Promise.all([service?.exit, loader?.ended]);
  await disk.powerOn();
}

/** Starts the service, compares what it has with what was acknowledged and claimed, and loads the rest. */
async function judgeArchive(
  { disk: { dataDir }, source, env }: Run,
  { isLoaded = false, keys = [], revoked = [] }: Acknowledged,
): Promise<Outcome> {
  const started = performance.now();
  const service = await startService({ dataDir });
  const recoveryMs = performance.now() - started;
  try {
    const answers = new Answers();
    const breaches: string[] = [];
    for (const key of keys)
      if (answers.add(await send(service.url, { key })).status !== 200)
        breaches.push('a key that was printed is gone');
    for (const key of revoked)
      if (answers.add(await send(service.url, { key })).status !== 401)
        breaches.push('a revoked key is valid');
    const key = await service.createKey();
    const { records, faults } = await walk(service.url, key);
    const stored = new Set(records);
    breaches.push(...faults, ...(await falseClaims(dataDir, source, stored)));
    const lost = [...source.expected].filter((report) => !stored.has(report)).length;
    if (isLoaded && lost > 0) breaches.push(`${lost} acknowledged reports are gone`);

    const before = source.requests();
    const { code, out } = await startLoader(source.args(0), env).ended;
    const requested = source.requests() - before;
    if (code !== 0) breaches.push(`the next load: exit code ${code}: ${out.slice(-200)}`);
    if (isLoaded && requested > 0) breaches.push(`${requested} days done are requested again`);
    const healed = new Set((await walk(service.url, key)).records);
    if (healed.size < source.expected.size)
      breaches.push(`${source.expected.size - healed.size} reports missing after the next load`);
    // They are built again beside the traffic.
    if (!(await untilNone(dataDir, 'system.projection_parts WHERE active AND is_broken')))
      breaches.push('broken projections');
    return {
      answers,
      recoveryMs,
      notes: [
        `${lost} of ${source.expected.size.toLocaleString('en')} reports were not stored yet`,
        'the recovery is a whole start',
      ],
      breaches,
    };
  } finally {
    await service.stop();
  }
}

/** Waits, for up to half a minute. */
async function untilNone(dataDir: string, rows: string): Promise<boolean> {
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await sleep(200)) {
    const [row] = await selectAs<{ found: number }>(
      dataDir,
      'admin',
      `SELECT toUInt32(count()) AS found FROM ${rows}`,
    );
    if (row?.found === 0) return true;
  }
  return false;
}

async function load({ source, env }: Run, args = source.args(0)): Promise<void> {
  const { code, out } = await startLoader(args, env).ended;
  if (code !== 0) throw new Error(`The loader: exit code ${code}: ${out}`);
}

async function afterLoad(run: Run): Promise<Acknowledged> {
  await load(run);
  return { isLoaded: true };
}

async function afterManySlices(run: Run): Promise<Acknowledged> {
  await load(run, run.source.args(0).replace('--from 2023-01-01', `--from ${MANY_SLICES}`));
  return { isLoaded: true };
}

async function duringLoad({ source, env }: Run): Promise<Acknowledged> {
  const loader = startLoader(source.args(0.05), env);
  while (source.requests() < SLICES_BEFORE_FAILURE) await sleep(20);
  return { loader };
}

/** The snapshot is of another archive, and on the same disk: what an export has acknowledged is synced. */
async function duringImport({ disk: { dataDir }, source, env }: Run): Promise<Acknowledged> {
  const other = await mkdtemp(join(tmpdir(), 'exported-'));
  const snapshot = join(dataDir, '..', 'snapshot');
  try {
    const run = {
      disk: { dataDir: other } as Disk,
      source,
      env: { ...env, ...(await enginePort()), DATA_DIR: other },
    };
    await load(run);
    await load(run, `export --to ${snapshot}`);
  } finally {
    await rm(other, { recursive: true, force: true });
  }
  const loader = startLoader(`--source snapshot --path ${snapshot}`, env);
  const hasReports = async () => {
    const rows = await selectAs(dataDir, 'loader', 'SELECT 1 FROM observations LIMIT 1').catch(() => []);
    return rows.length > 0;
  };
  while (!(await hasReports())) await sleep(10);
  return { loader };
}

async function afterMerges(run: Run): Promise<Acknowledged> {
  const { dataDir } = run.disk;
  const service = await startService({ dataDir });
  const stations = /--stations (\S+)/.exec(run.source.args(0))?.[1]?.split(',') ?? [];
  const argsOf = (some: readonly string[]) => run.source.args(0).replace(stations.join(','), some.join(','));
  await load(run, argsOf(stations.slice(0, STATIONS / 2)));
  await promisify(execFile)('sync', ['-f', dataDir]);
  await load(run, argsOf(stations.slice(STATIONS / 2)));
  for (const table of MERGED_TABLES) {
    await sendAs(dataDir, 'admin', `ALTER TABLE ${table} MODIFY SETTING old_parts_lifetime = 0`);
    await sendAs(dataDir, 'admin', `OPTIMIZE TABLE ${table} FINAL`);
  }
  if (
    !(await untilNone(
      dataDir,
      `system.parts WHERE NOT active AND table IN ('${MERGED_TABLES.join("', '")}')`,
    ))
  )
    throw new Error('The old parts are still there');
  return { isLoaded: true, service };
}

async function whileKeysAreMade({ disk: { dataDir } }: Run): Promise<Acknowledged> {
  const keysCommand = async (...args: string[]) => {
    const node = nodeArguments('start').slice(0, -1);
    const options = { cwd: ROOT, env: { PATH: process.env.PATH ?? '', DATA_DIR: dataDir } };
    const command = execFile(process.execPath, [...node, 'api/auth/keys-command.ts', ...args], options);
    let out = '';
    command.stdout?.on('data', (text) => {
      out += text;
    });
    const [code] = await once(command, 'close');
    return { code, out };
  };
  const service = await startService({ dataDir });
  const printed: string[] = [];
  for (let made = 0; made < 6; made += 1) {
    const { out } = await keysCommand('create', '--plan', 'starter');
    printed.push(out.trim().split('\n').at(-1) ?? '');
  }
  const { out: list } = await keysCommand('list');
  const ids = list
    .split('\n')
    .slice(0, 2)
    .map((line) => line.split(' ')[0] ?? '');
  for (const id of ids) await keysCommand('revoke', id);
  void keysCommand('create', '--plan', 'starter');
  await sleep(100);
  return { keys: printed.slice(2), revoked: printed.slice(0, 2), service };
}
