import { setTimeout as sleep } from 'node:timers/promises';
import { PROBE } from '../../../clickhouse/archive.ts';
import { engineOf } from '../../support/engine/engine-directory.ts';
import { Answers, during, timeToRecovery } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import type { Fault } from '../fault.ts';
import { sendAs } from '../power/claims.ts';
import type { Service } from '../service.ts';
import { startInContainer } from './limited-memory.ts';

/** Of the container; the engine has a half. */
const MEGABYTES = 1024;

/** No question of a client fills the engine; an administrator's statements can. */
export const ENGINE_WITHOUT_MEMORY: Fault = {
  name: '1 GB: an engine that refuses every statement',
  does: 'answers 503 and replaces the engine',
  action:
    'history_admin names one time zone after another, each of which takes 4.6 MB of the engine that it never frees, until small statements are refused; a client asks for pages and another for /readyz meanwhile',
  expect: {
    answers: ['200', '503 overloaded', '503 storage_unavailable'],
    required: ['503 overloaded'],
    longestWaitMs: 11_000,
  },
  recoveryMs: 90_000,
  async run() {
    const { service, stop } = await startInContainer(MEGABYTES, { PAGE_CACHE_MB: '0' });
    try {
      const key = await service.createKey();
      const before = await service.enginePid();
      const zones = await fill(service);
      const filledAt = performance.now();
      const answers = new Answers();
      const checks: string[] = [];
      await during(service.url, answers, [{ key, pauseMs: 200 }], async () => {
        while ((await engineOf(service.dataDir))?.pid === before && performance.now() - filledAt < 100_000) {
          checks.push((await send(service.url, { path: '/readyz' })).label);
          await sleep(200);
        }
      });
      const recovered = await timeToRecovery(service.url, { key }, 20_000);
      const good = checks.filter((label) => label === '200').length;
      return {
        answers,
        notes: [`${zones} zones; ${checks.length - good} of ${checks.length} answers of /readyz are 503`],
        breaches: [good > 0 && `/readyz was 200 in ${good} looks`],
        recoveryMs: recovered && performance.now() - filledAt,
      };
    } finally {
      await stop();
    }
  },
};

/** Returns the number of zones after which a small statement is refused. */
async function fill({ dataDir }: Service): Promise<number> {
  const zones = Intl.supportedValuesOf('timeZone');
  for (const [at, zone] of zones.entries())
    try {
      await sendAs(dataDir, 'admin', `SELECT toString(toDateTime(0, '${zone}'))`);
      await sendAs(dataDir, 'admin', PROBE);
    } catch (error) {
      if (String(error).includes('MEMORY_LIMIT_EXCEEDED')) return at + 1;
      throw error;
    }
  throw new Error(`${zones.length} zones do not fill the engine`);
}
