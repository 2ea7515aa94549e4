import type { ClickHouseClient } from '@clickhouse/client';
import { type VerifiedSlice, verify } from '../checks/verify.ts';
import type { Config } from '../config.ts';
import { createSourceClient } from '../http/fetch-with-retry.ts';
import { ExpectedVolume } from '../pipeline/expected-volume.ts';
import { KeyedMutex } from '../pipeline/keyed-mutex.ts';
import type { LoadContext } from '../pipeline/load-slice.ts';
import { MinuteHistogram } from '../pipeline/report-type.ts';
import type { Say } from '../progress/console.ts';
import { fetchMessages } from '../progress/fetch-messages.ts';
import { SOURCE_ADAPTERS, type SourceName } from '../sources/registry.ts';
import type { RateLimit } from '../sources/source.ts';
import type { VerifyCommand } from './args/command.ts';
import { formatVerifiedSlice } from './format-verify.ts';
import type { Interruption } from './interruption.ts';

const LOCAL: RateLimit = { intervalSeconds: 0, parallel: 1 };

/**
 * Verifies a sample of the done slices and prints the differences.
 *
 * @returns whether reports were compared and all are equal
 */
export async function verifyCommand(
  client: ClickHouseClient,
  command: VerifyCommand,
  { hosts, userAgent }: Config,
  stop: Interruption,
  say: Say,
): Promise<boolean> {
  const total = { slices: 0, notEqual: 0, reports: 0, differences: 0 };
  const onVerified = (verified: VerifiedSlice) => {
    for (const line of formatVerifiedSlice(verified)) console.log(line);
    total.slices += 1;
    total.reports += verified.reports;
    total.differences += verified.differences.length;
    if (verified.failed !== undefined || verified.differences.length > 0) total.notEqual += 1;
  };
  const watch = { started: () => {}, received: () => {}, ...fetchMessages(say) };
  const neighbours = new ExpectedVolume(client);
  const contextOf = (source: SourceName): LoadContext => {
    const origin = SOURCE_ADAPTERS[source](hosts[source]);
    const rateLimit = origin.kind === 'remote' ? origin.rateLimit : LOCAL;
    const intervalSeconds = command.intervalSeconds ?? rateLimit.intervalSeconds;
    const line = createSourceClient(
      { ...rateLimit, intervalSeconds },
      { userAgent, signal: stop.now, watch },
    );
    return {
      client,
      origin,
      line,
      neighbours,
      turns: new KeyedMutex(),
      minutes: new MinuteHistogram(),
      listed: new Set(),
    };
  };
  await verify(client, command, contextOf, onVerified, { noMore: stop.afterSlice, signal: stop.now });
  console.log(
    total.slices === 0
      ? 'No days are done in this range; nothing to verify.'
      : `${total.slices} slices, ${total.reports} reports compared: ${total.differences} differences, ${total.notEqual} slices not equal`,
  );
  return total.slices > 0 && total.notEqual === 0;
}
