import type { Archive } from '../../clickhouse/archive.ts';
import type { VerifyCommand } from '../args/command.ts';
import { type VerifiedSlice, verify } from '../checks/verify.ts';
import type { Config } from '../config.ts';
import { SYSTEM_TIMER } from '../http/timer.ts';
import type { Interruption } from '../interruption.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { fetchMessages } from '../progress/fetch-messages.ts';
import type { SourceName } from '../sources/registry.ts';
import { formatVerifiedSlice } from './format-verify.ts';
import { sourceContexts } from './load/source-contexts.ts';

/** An operator is waiting, so unlike a load, this does not wait for a source that fails for longer. */
const PATIENCE_SECONDS = 60;

/**
 * Verifies a sample of the done slices and prints the differences.
 *
 * @returns whether reports were compared and all are equal
 */
export async function verifyCommand(
  client: Archive,
  command: VerifyCommand,
  config: Config,
  stop: Interruption,
  output: ConsoleOutput,
  timer = SYSTEM_TIMER,
): Promise<boolean> {
  const total = { slices: 0, notEqual: 0, reports: 0, differences: 0 };
  const onVerified = (verified: VerifiedSlice) => {
    for (const line of formatVerifiedSlice(verified)) output.print(line);
    total.slices += 1;
    total.reports += verified.reports;
    total.differences += verified.differences.length;
    if (verified.failed !== undefined || verified.differences.length > 0) total.notEqual += 1;
  };
  const events = { started: () => {}, received: () => {}, ...fetchMessages(output.log) };
  const createContext = sourceContexts(client, config, command.intervalSeconds, stop.now, {
    timer,
    patienceSeconds: PATIENCE_SECONDS,
  });
  const contextOf = (source: SourceName) => createContext(source, events);
  await verify(client, command, contextOf, onVerified, stop);
  output.print(
    total.slices === 0
      ? 'No days are done in this range; nothing to verify.'
      : `${total.slices} slices, ${total.reports} reports compared: ${total.differences} differences, ${total.notEqual} slices not equal`,
  );
  return total.slices > 0 && total.notEqual === 0;
}
