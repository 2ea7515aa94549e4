import type { Scope } from '../../clickhouse/model/time-window.ts';
import { scopeOf, stationsOf, withScope } from '../args/options.ts';
import { stepProgress } from '../progress/load-progress.ts';
import { openSnapshotFolder } from '../snapshot/snapshot-folder.ts';
import { plural } from '../wording.ts';
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
  // With the libraries for Parquet, which take a tenth of the start of a loader.
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
