import type { Archive } from '../../clickhouse/archive.ts';
import { type Scope, selectionOf } from '../args/command.ts';
import type { Config } from '../config.ts';
import { DECODER_VERSION, decode } from '../decode.ts';
import type { Interruption } from '../interruption.ts';
import { redecode } from '../pipeline/redecode.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { showProgress } from '../progress/show-progress.ts';
import { StepProgress } from '../progress/step-progress.ts';

/** @returns whether no reports are left to decode */
export async function redecodeCommand(
  client: Archive,
  scope: Scope,
  { logFormat }: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const decoder = { version: DECODER_VERSION, decode };
  const { decoded, left } = await showProgress(output, logFormat, (display) =>
    redecode(client, selectionOf(scope), decoder, new StepProgress(display, 'reports'), stop),
  );
  output.print(`${decoded} reports decoded again by decoder ${DECODER_VERSION}, ${left} left`);
  return left === 0;
}
