import type { Archive } from '../../clickhouse/archive.ts';
import type { ExportCommand } from '../args/command.ts';
import { type Config, PROGRAM } from '../config.ts';
import type { Interruption } from '../interruption.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { showProgress } from '../progress/show-progress.ts';
import { StepProgress } from '../progress/step-progress.ts';
import { exportSnapshot } from '../snapshot/export.ts';
import { SnapshotFolder } from '../snapshot/snapshot-folder.ts';

/** @returns whether the snapshot is whole */
export async function exportCommand(
  client: Archive,
  { folder: path, scope }: ExportCommand,
  { logFormat }: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const folder = await SnapshotFolder.open(path);
  const result = await showProgress(output, logFormat, (display) =>
    folder.writeAlone(() =>
      exportSnapshot(client, folder, scope, PROGRAM, new StepProgress(display, 'reports'), stop),
    ),
  );
  const { manifest, unchanged, lostSlices } = result;
  if (lostSlices > 0)
    output.print(
      `${lostSlices} rows of the ledger are left out, because the archive has lost reports of them: \`gaps\` prints what to load`,
    );
  if (result.kind === 'stopped') return false;
  const files = manifest.files.filter(({ reports }) => reports !== undefined).length;
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  output.print(
    `${manifest.reports} reports in ${files} files (${unchanged} unchanged), ${(bytes / 1e6).toFixed(1)} MB: ${path}`,
  );
  return true;
}
