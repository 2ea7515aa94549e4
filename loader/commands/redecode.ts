import { newRun } from '../../clickhouse/coverage/ledger/ledger.ts';
import { fillDays } from '../../clickhouse/days/refresh.ts';
import { type Scope, windowOfDays } from '../../clickhouse/model/time-window.ts';
import { OPTIONS, STATION_WORDS, scopeOf, stationsOf } from '../args/options.ts';
import { DECODER_VERSION } from '../decode.ts';
import { redecode } from '../pipeline/redecode.ts';
import { Writer } from '../pipeline/writer.ts';
import { stepProgress } from '../progress/load-progress.ts';
import { plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

export function declareRedecode({ add, accept }: LoaderProgram): void {
  add(
    'redecode [STATION...]',
    'decodes again the reports that an older decoder decoded, and stores missing records of days',
  )
    .argument(...STATION_WORDS)
    .addOption(OPTIONS.from)
    .addOption(OPTIONS.to)
    .action((words, options) => {
      accept({ kind: 'redecode', scope: scopeOf(stationsOf(words), options) }, redecodeCommand);
    });
}

/** @returns whether no reports are left to decode */
async function redecodeCommand({ archive, stop, output }: CommandContext, { scope }: { scope: Scope }) {
  const selection = { stations: scope.stations, ...windowOfDays(scope) };
  const writer = new Writer(archive, newRun());
  const { decoded, left } = await output.showProgress((display) =>
    redecode({ archive, writer, progress: stepProgress(display()), stop }, selection),
  );
  await writer.close();
  await fillDays(archive, { stations: scope.stations }, stop.now);
  output.print(`${plural(decoded, 'report')} decoded again by decoder ${DECODER_VERSION}, ${left} left`);
  return left === 0;
}
