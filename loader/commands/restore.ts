import { stepProgress } from '../progress/load-progress.ts';
import { importSnapshot } from '../snapshot/import.ts';
import { openSnapshot } from '../snapshot/snapshot-folder.ts';
import { formatDuration, plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

export function declareRestore({ add, accept }: LoaderProgram): void {
  add('restore DIR|URL', 'adds the parts of an exported snapshot that the archive lacks')
    .argument('<dir|url>', 'folder of the snapshot, or its https:// address')
    .action((path) => accept({ kind: 'restore', path }, restoreCommand, { needsTime: true }));
}

/** On the two cores of `npm run bench -- snapshot`. */
const REPORTS_PER_SECOND = 12_000;

/** @returns whether the whole snapshot is in the archive */
export async function restoreCommand(
  { archive, stop, output }: Omit<CommandContext, 'config'>,
  { path }: { readonly path: string },
): Promise<boolean> {
  const snapshot = await openSnapshot(path, stop.now);
  const { files, reports } = snapshot.manifest;
  const megabytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6;
  output.print(
    `${plural(reports, 'report')} in ${plural(files.length, 'file')} of ${megabytes.toFixed(1)} MB: about ${formatDuration(reports / REPORTS_PER_SECOND)} on two cores`,
  );
  const result = await output.showProgress((display) =>
    importSnapshot({ archive, progress: stepProgress(display()), stop }, snapshot),
  );
  output.print(`${plural(result.reports, 'report')} of the snapshot, ${result.inserted} new`);
  return result.kind === 'imported';
}
