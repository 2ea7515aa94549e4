import type { ClickHouseClient } from '@clickhouse/client';
import { type SourceContexts, verifiedLines, verify } from '../checks/verify.ts';
import type { Config } from '../config.ts';
import { createSourceClient } from '../http/fetch-with-retry.ts';
import { SOURCE_ADAPTERS } from '../sources/registry.ts';
import type { RateLimit } from '../sources/source.ts';
import type { VerifyCommand } from './args/command.ts';
import type { Interruption } from './load.ts';

const AT_ONCE: RateLimit = { intervalSeconds: 0, parallel: 1 };

/**
 * Verifies a sample and prints what it finds.
 *
 * @param say where the troubles of the sources are told
 * @returns whether some reports were compared, and all were equal
 */
export async function verifySample(
  client: ClickHouseClient,
  command: VerifyCommand,
  { hosts, userAgent }: Config,
  stop: Interruption,
  say: (line: string) => void,
): Promise<boolean> {
  const events = {
    started: () => {},
    received: () => {},
    pausing: (reason: string, seconds: number) => say(`waiting ${Math.ceil(seconds)} s: ${reason}`),
    retrying: (url: string, reason: string, seconds: number) =>
      say(`asking again in ${Math.ceil(seconds)} s: ${reason} (${url})`),
  };
  const roadTo: SourceContexts = (source) => {
    const adapter = SOURCE_ADAPTERS[source](hosts[source]);
    const courtesy = adapter.kind === 'remote' ? adapter.rateLimit : AT_ONCE;
    const intervalSeconds = command.intervalSeconds ?? courtesy.intervalSeconds;
    const sourceClient = createSourceClient(
      { ...courtesy, intervalSeconds },
      { userAgent, signal: stop.now, events },
    );
    return { adapter, sourceClient };
  };
  const total = { slices: 0, unequal: 0, reports: 0, differences: 0 };
  await verify(
    client,
    command,
    roadTo,
    (verified) => {
      for (const line of verifiedLines(verified)) console.log(line);
      total.slices += 1;
      total.reports += verified.reports;
      total.differences += verified.differences.length;
      if (verified.failed !== undefined || verified.differences.length > 0) total.unequal += 1;
    },
    { noMore: stop.afterSlice, signal: stop.now },
  );
  console.log(
    total.slices === 0
      ? 'No days are done there: there is nothing to verify.'
      : `${total.slices} slices, ${total.reports} reports compared: ${total.differences} differences, ${total.unequal} slices not proved equal`,
  );
  return total.slices > 0 && total.unequal === 0;
}
