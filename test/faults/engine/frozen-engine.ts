import { setTimeout as sleep } from 'node:timers/promises';
import { engineOf } from '../../support/engine/engine.ts';
import { Answers, during, timeToRecovery, timeUntil } from '../clients/answers.ts';
import { type Answer, send } from '../clients/client.ts';
import { type Fault, seconds } from '../fault.ts';
import { killQuietly, type Service, startService } from '../service.ts';

/** By then the time limit of queries has passed several times, and the breaker is open. */
const SETTLED_MS = 20_000;
/** The engine must be silent for 60 s before it is replaced. */
const REPLACED_LIMIT_MS = 90_000;

export const startFrozenGroup = (): Promise<Service> =>
  startService({ settings: { QUERY_TIMEOUT_SECONDS: '5' } });

export const ENGINE_FROZEN: readonly Fault<Service>[] = [
  {
    name: 'The engine is frozen',
    action: 'SIGSTOP of the engine under traffic, until it is replaced; QUERY_TIMEOUT_SECONDS is 5',
    expect: {
      answers: ['200', '503 storage_unavailable', '504 query_timeout', '503 overloaded'],
      required: ['503 storage_unavailable'],
      longestWaitMs: 11_000,
    },
    recoveryMs: REPLACED_LIMIT_MS,
    async run(service) {
      const keys = await Promise.all([1, 2, 3, 4, 5, 6].map(() => service.createKey()));
      const [key = ''] = keys;
      await send(service.url, { key });
      const pid = await service.enginePid();
      const late: Answer[] = [];
      const frozenAt = performance.now();
      let replacedMs: number | undefined;
      const answers = new Answers((answer) => {
        const now = performance.now() - frozenAt;
        // What was sent before the engine is replaced, once the breaker had its time to open.
        if (replacedMs === undefined && now > SETTLED_MS) late.push(answer);
        return undefined;
      });
      process.kill(pid, 'SIGSTOP');
      const clients = keys.map((each) => ({ key: each, pauseMs: 200 }));
      const ready = await during(service.url, answers, clients, async () => {
        const probe = await sleep(SETTLED_MS).then(() => send(service.url, { path: '/readyz' }));
        replacedMs = await replacedWithin(service, pid, 100_000);
        return probe;
      });
      const recovered = await timeToRecovery(service.url, { key }, 10_000);
      killQuietly(pid);
      const recoveryMs = performance.now() - frozenAt;
      const fast = late.filter(({ label, ms }) => label === '503 storage_unavailable' && ms < 1000);
      return {
        answers,
        notes: [`after ${seconds(SETTLED_MS)}: ${fast.length} of ${late.length} answers within 1 s`],
        breaches: [
          fast.length < late.length * 0.9 && 'the breaker does not open',
          late.some(({ label }) => label === '503 overloaded') && 'overloaded, though the storage is down',
          ready.label !== '503 storage_unavailable' && `/readyz: ${ready.label}`,
        ],
        recoveryMs: replacedMs === undefined || recovered === undefined ? undefined : recoveryMs,
      };
    },
  },
];

/** Waits until another engine serves the directory. */
async function replacedWithin(service: Service, pid: number, limitMs: number): Promise<number | undefined> {
  return timeUntil(async () => {
    const record = await engineOf(service.dataDir);
    return record !== undefined && record.pid !== pid;
  }, limitMs);
}
