import type { Archive } from '../../../clickhouse/archive.ts';
import { isAccessDenied } from '../../../clickhouse/errors.ts';
import type { SnapshotCommand } from '../../args/command.ts';
import type { Config } from '../../config.ts';
import type { Interruption } from '../../interruption.ts';
import type { ConsoleOutput } from '../../progress/console.ts';
import { showProgress } from '../../progress/show-progress.ts';
import { StepProgress } from '../../progress/step-progress.ts';
import { importSnapshot } from '../../snapshot/import.ts';
import { openSnapshot } from '../../snapshot/open-snapshot.ts';
import { SnapshotError } from '../../snapshot/snapshot-error.ts';

/** @returns whether the whole snapshot is in the archive */
export async function importSnapshotCommand(
  client: Archive,
  { path, decodeAgain }: SnapshotCommand,
  { logFormat }: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const snapshot = await openSnapshot(path, stop.now);
  const result = await showProgress(output, logFormat, (display) =>
    importSnapshot(client, snapshot, new StepProgress(display, 'reports'), stop, decodeAgain),
  ).catch((error: unknown) => {
    if (!isAccessDenied(error)) throw error;
    throw new SnapshotError(
      'The user of CLICKHOUSE_USER may not write to the archive: import as history_loader',
    );
  });
  output.print(`${result.reports} reports of the snapshot, ${result.inserted} new`);
  return result.kind === 'imported';
}
