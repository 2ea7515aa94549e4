import type { Archive } from '../../clickhouse/archive.ts';
import { deleteSource } from '../../clickhouse/observations/maintenance.ts';
import { type Command, type FollowCommand, type Scope, selectionOf } from '../args/command.ts';
import { findGaps } from '../checks/gaps.ts';
import type { Config } from '../config.ts';
import { DECODER_VERSION, decode } from '../decode.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { Interruption } from '../interruption.ts';
import { redecode } from '../pipeline/redecode.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { stepProgress } from '../progress/load-progress.ts';
import { fetchStations } from './fetch-stations.ts';
import { formatGaps } from './gaps.ts';
import { importCommand } from './import/import-folder.ts';
import { loadCommand } from './load/load.ts';
import { exportCommand, importSnapshotCommand } from './snapshot.ts';
import { statusOf } from './status.ts';
import { verifyCommand } from './verify.ts';

/** Results go to standard output, messages and progress to standard error. */
export async function runCommand(
  client: Archive,
  command: Exclude<Command, FollowCommand>,
  config: Config,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<ExitReason> {
  switch (command.kind) {
    case 'status':
      for (const line of await statusOf(client, command.detail, new Date(), stop.now, command.json))
        output.print(line);
      return 'done';
    case 'migrate':
      // Opening the archive has created what it lacked.
      output.print('The schema of the archive is up to date.');
      return 'done';
    case 'remove-demo':
      await deleteSource(client, 'demo', stop.now);
      output.print('The synthetic demo reports are deleted.');
      return 'done';
    case 'stations':
      for (const line of await fetchStations(client, config, stop.now, output.log)) output.print(line);
      return 'done';
    case 'gaps': {
      const days = command.all ? 'all' : 'asked';
      const found = await findGaps(client, command.scope, new Date(), stop.now, days);
      for (const line of formatGaps(found, days)) output.print(line);
      return found.gaps.length === 0 ? 'done' : 'daysLeft';
    }
    case 'snapshot':
      return doneOrDaysLeft(await importSnapshotCommand(client, command, stop, output));
    case 'export':
      return doneOrDaysLeft(await exportCommand(client, command, stop, output));
    case 'verify':
      return doneOrDaysLeft(await verifyCommand(client, command, config, stop, output));
    case 'redecode':
      return doneOrDaysLeft(await redecodeCommand(client, command.scope, stop, output));
    case 'files':
      return doneOrDaysLeft(await importCommand(client, command, stop, output));
    case 'load':
      return loadCommand(client, command, config, stop, output);
  }
}

function doneOrDaysLeft(isDone: boolean): ExitReason {
  return isDone ? 'done' : 'daysLeft';
}

/** @returns whether no reports are left to decode */
async function redecodeCommand(
  client: Archive,
  scope: Scope,
  stop: Interruption,
  output: ConsoleOutput,
): Promise<boolean> {
  const decoder = { version: DECODER_VERSION, decode };
  const { decoded, left } = await output.showProgress((screen) =>
    redecode(client, selectionOf(scope), decoder, stepProgress(screen.display(), 'reports'), stop),
  );
  output.print(`${decoded} reports decoded again by decoder ${DECODER_VERSION}, ${left} left`);
  return left === 0;
}
