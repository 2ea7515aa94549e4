import { setTimeout as sleep } from 'node:timers/promises';
import { engineOf } from '../../support/engine/engine.ts';
import { startLoader } from '../../support/process.ts';
import { seededRandom } from '../../support/random.ts';
import { emptyDirectory } from '../archive.ts';
import type { Fault, Outcome } from '../fault.ts';
import { killQuietly, type Service, startService } from '../service.ts';
import {
  claimsOf,
  compare,
  environment,
  type LoadSource,
  startSource,
  type Walk,
  walk,
} from './load-archive.ts';

const ENGINE_KILLS = 40;
/** On a slow machine the engine restarts fewer times: then the fault does not hold, and ends before its time limit. */
const KILLING_MS = 100_000;
const TOTAL_KILLS = 4;
const MOST_RUNS = 4;

export const LOAD_KILLS: readonly Fault[] = [
  {
    name: 'The engine is killed 40 times under a load',
    action: 'SIGKILL of the engine while the loader writes and a client walks; then the same command again',
    run: () =>
      withLoad(async (service, source, key) => {
        const random = seededRandom(1);
        const faults: string[] = [];
        let pages = 0;
        let isLoading = true;
        const reader = (async () => {
          while (isLoading) {
            const seen = await walk(service.url, key);
            pages += seen.pages;
            faults.push(...wrongRecords(seen, source));
            await sleep(1000);
          }
        })();
        const started = performance.now();
        const isKilling = () => kills < ENGINE_KILLS && performance.now() - started < KILLING_MS;
        let kills = 0;
        let runs = 0;
        for (let code: number | null = null; code !== 0 && runs < 6; runs += 1) {
          let isRunning = true;
          const loader = startLoader(source.args(isKilling() ? 1.2 : 0), environment(service, source));
          const ended = loader.finished.finally(() => {
            isRunning = false;
          });
          while (isRunning && isKilling()) {
            await sleep(100 + random() * 500);
            const record = await engineOf(service.dataDir);
            if (record === undefined || !isRunning) continue;
            killQuietly(record.pid);
            kills += 1;
          }
          ({ code } = await ended);
        }
        isLoading = false;
        await reader;
        const result = await compare(service, source, key);
        return {
          notes: [`${kills} kills, ${runs} runs of the loader, ${pages} pages read`, ...result.notes],
          breaches: [
            ...faults.slice(0, 3),
            ...result.breaches,
            kills < ENGINE_KILLS && `only ${kills} kills`,
          ],
        };
      }),
  },
  {
    name: 'Everything is killed at once',
    action:
      'SIGKILL of api, loader and engine at the same time, four times, while the source sends each of its faults; then the same command again and again',
    recoveryMs: 20_000,
    run: () =>
      withLoad(async (first, source, key) => {
        let service = first;
        let recoveryMs = 0;
        const claims: string[] = [];
        source.addFaults();
        for (let kills = 0; kills < TOTAL_KILLS; kills += 1) {
          const loader = startLoader(source.args(0.1), environment(service, source));
          await sleep(2500);
          const { dataDir } = service;
          const engine = await service.enginePid();
          service.kill('SIGKILL');
          loader.kill('SIGKILL');
          killQuietly(engine);
          await Promise.all([service.exit, loader.finished]);
          const started = performance.now();
          service = await startService({ dataDir });
          recoveryMs = Math.max(recoveryMs, performance.now() - started);
          claims.push(...(await claimsOf(service, source, key)));
        }
        let [code, out]: [number | null, string] = [3, ''];
        // A refused request is left for the next run.
        for (let runs = 0; code === 3 && runs < MOST_RUNS; runs += 1)
          ({ code, out } = await startLoader(source.args(0), environment(service, source)).finished);
        const result = await compare(service, source, key);
        await service.stop();
        const breaches = [
          code !== 0 && `the loader: exit code ${code}: ${out.slice(-200)}`,
          ...claims.slice(0, 3),
          ...result.breaches,
        ];
        return { recoveryMs, notes: result.notes, breaches };
      }),
  },
];

async function withLoad(
  work: (service: Service, source: LoadSource, key: string) => Promise<Outcome>,
): Promise<Outcome> {
  const source = await startSource();
  const dataDir = await emptyDirectory();
  const service = await startService({ dataDir });
  try {
    return await work(service, source, await service.createKey());
  } finally {
    await service.stop();
    await source.close();
  }
}

function wrongRecords({ records, faults }: Walk, { expected }: LoadSource): readonly string[] {
  const foreign = records.filter((record) => !expected.has(record));
  return [...faults, ...foreign.map((record) => `${record} is no report of the source`)];
}
