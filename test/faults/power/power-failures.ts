import { engineOf } from '../../support/engine/engine.ts';
import { startLoader } from '../../support/process.ts';
import { Answers } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import type { Fault, Outcome } from '../fault.ts';
import { environment, startSource, walk } from '../loader/load-archive.ts';
import { enginePort, killQuietly, startService } from '../service.ts';
import { falseClaims, untilNone } from './claims.ts';
import { type FileSystem, makeDisk } from './disk.ts';
import {
  type Acknowledged,
  afterLoad,
  afterManySlices,
  afterMerges,
  duringImport,
  duringLoad,
  type Run,
  SLICES_BEFORE_FAILURE,
  STATIONS,
  whileKeysAreMade,
} from './work.ts';

const EXPECT = {
  answers: ['200', '401 invalid_credentials'],
  longestWaitMs: 5000,
} as const;

/** A row is in `station_observations` once it is stored in `observations`. */
const ONLY_BY_STATION = `station_observations FINAL
  WHERE (station, observedAt, type, fingerprint) NOT IN
    (SELECT station, observedAt, type, fingerprint FROM observations)`;

export const POWER_FAILURES: readonly Fault[] = [
  ...(['ext4', 'xfs'] as const).flatMap((fileSystem) => [
    powerFailure(fileSystem, 'After a load', 'right after exit code 0 of a load', afterLoad),
    powerFailure(
      fileSystem,
      'After merges',
      'a load into a synced archive, a merge of all its parts, the old parts deleted',
      afterMerges,
    ),
  ]),
  powerFailure('ext4', 'During a load', `after ${SLICES_BEFORE_FAILURE} of 24 slices`, duringLoad),
  powerFailure('ext4', 'During an import', 'while a snapshot is imported', duringImport),
  powerFailure(
    'ext4',
    'After many slices',
    'a load of 19 years of six stations, most of them without reports',
    afterManySlices,
  ),
  powerFailure(
    'ext4',
    'While keys are made',
    'six keys printed, two revoked, and one under way',
    whileKeysAreMade,
  ),
];

function powerFailure(
  fileSystem: FileSystem,
  name: string,
  action: string,
  work: (run: Run) => Promise<Acknowledged>,
): Fault {
  return {
    name: `${name} (${fileSystem})`,
    action: `${action}; then the disk keeps what was synced and nothing else`,
    expect: EXPECT,
    recoveryMs: 30_000,
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
  const engine = await engineOf(disk.dataDir);
  await disk.cutPower();
  service?.kill('SIGKILL');
  loader?.kill('SIGKILL');
  if (engine !== undefined) killQuietly(engine.pid);
  await Promise.all([service?.exit, loader?.finished]);
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
    const { code, out } = await startLoader(source.args(0), env).finished;
    const requested = source.requests() - before;
    if (code !== 0) breaches.push(`the next load: exit code ${code}: ${out.slice(-200)}`);
    if (isLoaded && requested > 0) breaches.push(`${requested} days done are requested again`);
    const healed = new Set((await walk(service.url, key)).records);
    if (healed.size < source.expected.size)
      breaches.push(`${source.expected.size - healed.size} reports missing after the next load`);
    if (!(await untilNone(dataDir, ONLY_BY_STATION)))
      breaches.push('reports in the order of stations that are not in the order of time');
    return {
      answers,
      recoveryMs,
      notes: [`${lost} of ${source.expected.size.toLocaleString('en')}`],
      breaches,
    };
  } finally {
    await service.stop();
  }
}
