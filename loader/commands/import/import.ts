import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { once } from '../../../clickhouse/program-arguments.ts';
import { scopeOf, stationsOf, withScope } from '../../args/options.ts';
import { loadProgress } from '../../progress/load-progress.ts';
import { plural } from '../../wording.ts';
import type { CommandContext, LoaderProgram } from '../command.ts';
import { type FilesToImport, importFiles } from './import-files.ts';

export function declareImport({ add, accept }: LoaderProgram): void {
  const command = add('import PATH...', 'loads local files in the formats of the sources');
  withScope(command.argument('[path...]', 'files, and folders of files, gzipped or not'))
    // The other form of the command: --source files --path DIR
    .addOption(new Option('--source <name>').choices(['files']).hideHelp())
    .addOption(new Option('--path <path>').argParser(once(String)).hideHelp())
    .action((words, { path, ...options }) => {
      const paths = path === undefined ? words : [...words, path];
      if (paths.length === 0) throw new InvalidArgumentError('PATH is required: write import PATH');
      const missing = paths.find((each) => !existsSync(each));
      if (missing !== undefined)
        throw new InvalidArgumentError(
          `PATH must be a file or a folder of files; there is none at ${JSON.stringify(missing)}`,
        );
      const scope = scopeOf(stationsOf([], options), options);
      accept({ kind: 'import', paths, scope }, importCommand, { needsTime: true });
    });
}

/** @returns whether there are files and all of them were loaded */
async function importCommand({ archive, stop, output }: CommandContext, files: FilesToImport) {
  const { slices, slicesDone, slicesFailed, reports, inserted, skipped } = await output.showProgress(
    async (display) => {
      const progress = loadProgress(display(), 'files');
      await importFiles(archive, files, progress, stop);
      return progress.tally;
    },
  );
  output.print(
    slices === 0
      ? 'There is no file to load.'
      : `${slicesDone} of ${slices} files loaded: ${plural(reports, 'report')}, ${inserted} new`,
  );
  for (const [reason, rows] of Object.entries(skipped))
    output.print(`${plural(rows, 'row')} skipped: ${reason}`);
  return !stop.afterSlice.aborted && slicesFailed === 0 && slices > 0;
}
