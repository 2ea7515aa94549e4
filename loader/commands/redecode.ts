import { type Scope, windowOfDays } from '../../clickhouse/model/time-window.ts';
import { FROM, STATION_WORDS, scopeOf, stationsOf, TO } from '../args/options.ts';
import { DECODER_VERSION } from '../decode.ts';
import { redecode } from '../pipeline/redecode.ts';
import { stepProgress } from '../progress/load-progress.ts';
import { type CommandContext, inArchive, type LoaderProgram } from './command.ts';

export function declareRedecode({ add, accept }: LoaderProgram): void {
  add('redecode [STATION...]', 'decodes again the reports that an older decoder decoded')
    .argument(...STATION_WORDS)
    .addOption(FROM)
    .addOption(TO)
    .action((words, options) => {
      const scope = scopeOf(stationsOf(words), options);
      accept(
        { kind: 'redecode', scope },
        inArchive((context) => redecodeCommand(context, scope)),
      );
    });
}

/** @returns whether no reports are left to decode */
async function redecodeCommand({ archive, stop, output }: CommandContext, scope: Scope): Promise<boolean> {
  const selection = { stations: scope.stations, ...windowOfDays(scope) };
  const { decoded, left } = await output.showProgress((display) =>
    redecode({ archive, progress: stepProgress(display()), stop }, selection),
  );
  output.print(`${decoded} reports decoded again by decoder ${DECODER_VERSION}, ${left} left`);
  return left === 0;
}
