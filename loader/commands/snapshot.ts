import type { Archive } from '../../clickhouse/archive.ts';
import { isAccessDenied } from '../../clickhouse/errors.ts';
import type { ExportCommand, SnapshotCommand } from '../args/command.ts';
import { PROGRAM } from '../config.ts';
import type { Interruption } from '../interruption.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { stepProgress } from '../progress/load-progress.ts';
import { exportSnapshot } from '../snapshot/export.ts';
import { importSnapshot } from '../snapshot/import.ts';
import { SnapshotError } from '../snapshot/manifest.ts';
import { openSnapshot } from '../snapshot/open-snapshot.ts';
import { SnapshotFolder } from '../snapshot/snapshot-folder.ts';

/** @returns whether the snapshot is whole */
export async function exportCommand(
  client: Archive,
  { folder: path, scope }: ExportCommand,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const folder = await SnapshotFolder.open(path);
  const result = await output.showProgress((screen) =>
    folder.writeAlone(() =>
      exportSnapshot(client, folder, scope, PROGRAM, stepProgress(screen.display(), 'reports'), stop),
    ),
  );
  const { manifest, unchanged, lostSlices } = result;
  if (lostSlices > 0)
    output.print(
      `${lostSlices} ledger rows are left out because the archive has lost some of their reports; \`gaps\` prints the commands that load them`,
    );
  if (result.kind === 'stopped') return false;
  const files = manifest.files.filter(({ reports }) => reports !== undefined).length;
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  output.print(
    `${manifest.reports} reports in ${files} files (${unchanged} unchanged), ${(bytes / 1e6).toFixed(1)} MB: ${path}`,
  );
  return true;
}

/** @returns whether the whole snapshot is in the archive */
export async function importSnapshotCommand(
  client: Archive,
  { path, decodeAgain }: SnapshotCommand,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const snapshot = await openSnapshot(path, stop.now);
  const result = await output
    .showProgress((screen) =>
      importSnapshot(client, snapshot, stepProgress(screen.display(), 'reports'), stop, decodeAgain),
    )
    .catch((error: unknown) => {
      if (!isAccessDenied(error)) throw error;
      throw new SnapshotError(
        'The user of CLICKHOUSE_USER may not write to the archive: import as history_loader',
      );
    });
  output.print(`${result.reports} reports of the snapshot, ${result.inserted} new`);
  return result.kind === 'imported';
}
