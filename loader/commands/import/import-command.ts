import type { Archive } from '../../../clickhouse/archive.ts';
import type { ImportCommand } from '../../args/command.ts';
import type { Config } from '../../config.ts';
import type { Interruption } from '../../interruption.ts';
import type { ConsoleOutput } from '../../progress/console.ts';
import { LoadProgress } from '../../progress/load-progress.ts';
import { showProgress } from '../../progress/show-progress.ts';
import { importFolder } from './import-folder.ts';

/** @returns whether there are files and all of them were loaded */
export async function importCommand(
  client: Archive,
  command: ImportCommand,
  { logFormat }: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const { failedFiles, tally } = await showProgress(output, logFormat, async (display) => {
    const progress = new LoadProgress(display, 'files');
    return { failedFiles: await importFolder(client, command, progress, stop), tally: progress.tally };
  });
  const { slices, slicesDone, reports, inserted, skipped } = tally;
  output.print(`${slicesDone} of ${slices} files loaded: ${reports} reports, ${inserted} new`);
  for (const [reason, rows] of Object.entries(skipped)) output.print(`${rows} rows skipped: ${reason}`);
  return !stop.afterSlice.aborted && failedFiles === 0 && slices > 0;
}
