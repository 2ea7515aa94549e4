import type { Archive } from '../../clickhouse/archive.ts';
import { type Scope, selectionOf } from '../args/scope.ts';
import type { Config } from '../config.ts';
import { DECODER_VERSION, decode } from '../decode.ts';
import type { Interruption } from '../interruption.ts';
import { redecode } from '../pipeline/redecode.ts';
import { displayOn } from '../progress/bars.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { StepProgress } from '../progress/step-progress.ts';

/** @returns whether no report is left to decode */
export async function redecodeCommand(
  client: Archive,
  scope: Scope,
  { logFormat }: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const display = displayOn(process.stderr, logFormat);
  const decoder = { version: DECODER_VERSION, decode };
  const work = redecode(client, selectionOf(scope), decoder, new StepProgress(display, 'reports'), {
    noMore: stop.afterSlice,
    signal: stop.now,
  });
  const { decoded, left } = await output.track(display.log, work.finally(display.end));
  output.print(`${decoded} reports decoded again by decoder ${DECODER_VERSION}, ${left} left`);
  return left === 0;
}
