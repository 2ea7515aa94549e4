import type { ClickHouseClient } from '@clickhouse/client';
import type { VerifyCommand } from './command.ts';
import type { Config } from './config.ts';
import { lineTo } from './fetch.ts';
import type { Interruption } from './load-range.ts';
import type { Courtesy } from './sources/origin.ts';
import { ORIGINS } from './sources/table.ts';
import { type Roads, verifiedLines, verify } from './verify.ts';

const AT_ONCE: Courtesy = { intervalSeconds: 0, parallel: 1 };

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
  const watch = {
    started: () => {},
    received: () => {},
    pausing: (reason: string, seconds: number) => say(`waiting ${Math.ceil(seconds)} s: ${reason}`),
    retrying: (url: string, reason: string, seconds: number) =>
      say(`asking again in ${Math.ceil(seconds)} s: ${reason} (${url})`),
  };
  const roadTo: Roads = (source) => {
    const origin = ORIGINS[source](hosts[source]);
    const courtesy = origin.kind === 'remote' ? origin.courtesy : AT_ONCE;
    const intervalSeconds = command.intervalSeconds ?? courtesy.intervalSeconds;
    const line = lineTo({ ...courtesy, intervalSeconds }, { userAgent, signal: stop.now, watch });
    return { origin, line };
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
