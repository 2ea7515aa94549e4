import type { Scope } from '../../clickhouse/model/time-window.ts';
import { scopeOf, stationsOf, withScope } from '../args/options.ts';
import { stepProgress } from '../progress/load-progress.ts';
import { importSnapshot } from '../snapshot/import.ts';
import { openSnapshot, openSnapshotFolder } from '../snapshot/snapshot-folder.ts';
import { formatDuration, plural } from '../wording.ts';
import type { CommandContext, LoaderProgram } from './command.ts';

export function declareExport({ add, accept }: LoaderProgram): void {
  withScope(
    add('export DIR', 'writes a snapshot of the archive as Parquet files').argument(
      '<dir>',
      'folder for the snapshot: new, empty, or from an earlier export, whose unchanged files are kept',
    ),
  ).action((folder, options) => {
    const scope = scopeOf(stationsOf([], options), options);
    accept({ kind: 'export', folder, scope }, exportCommand, { login: 'api' });
  });
}

/** @returns whether the snapshot is whole */
export async function exportCommand(
  { archive, stop, output }: Omit<CommandContext, 'config'>,
  { folder: path, scope }: { readonly folder: string; readonly scope: Scope },
): Promise<boolean> {
  // Imported here with the libraries for Parquet, which take a tenth of the start time of a loader.
  const { exportSnapshot } = await import('../snapshot/export.ts');
  const folder = await openSnapshotFolder(path);
  const result = await output.showProgress((display) =>
    folder.writeAlone(() =>
      exportSnapshot({ archive, progress: stepProgress(display()), stop }, folder, scope),
    ),
  );
  const { manifest, unchanged, lostSlices } = result;
  if (lostSlices > 0)
    output.print(
      `${plural(lostSlices, 'ledger row is', 'ledger rows are')} left out because the archive has lost some of the reports; \`gaps\` prints the commands that load them`,
    );
  if (result.kind === 'stopped') return false;
  const files = manifest.files.filter(({ reports }) => reports !== undefined).length;
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  output.print(
    `${plural(manifest.reports, 'report')} in ${plural(files, 'file')} (${unchanged} unchanged), ${(bytes / 1e6).toFixed(1)} MB: ${path}`,
  );
  return true;
}

export function declareRestore({ add, accept }: LoaderProgram): void {
  add('restore DIR|URL', 'adds the parts of an exported snapshot that the archive lacks')
    .argument('<dir|url>', 'folder of the snapshot, or its https:// address')
    .action((path) => accept({ kind: 'restore', path }, restoreCommand, { needsTime: true }));
}

/** Measured on two cores by `npm run bench -- snapshot`. */
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
