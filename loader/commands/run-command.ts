import type { Archive } from '../../clickhouse/archive.ts';
import { deleteSource } from '../../clickhouse/observations/maintenance/delete-source.ts';
import type { Command, FollowCommand } from '../args/command.ts';
import { findGaps } from '../checks/gaps.ts';
import type { Config } from '../config.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { Interruption } from '../interruption.ts';
import type { ConsoleOutput } from '../progress/console.ts';
import { exportCommand } from './export.ts';
import { fetchStations } from './fetch-stations.ts';
import { formatGaps } from './format-gaps.ts';
import { importCommand } from './import/import-command.ts';
import { importSnapshotCommand } from './import/import-snapshot.ts';
import { loadCommand } from './load/load.ts';
import { redecodeCommand } from './redecode-command.ts';
import { statusJsonOf, statusOf } from './status/status.ts';
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
      if (command.json) output.print(await statusJsonOf(client, command.detail, new Date(), stop.now));
      else
        for (const line of await statusOf(client, command.detail, new Date(), stop.now)) output.print(line);
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
      return doneOrDaysLeft(await importSnapshotCommand(client, command, config, stop, output));
    case 'export':
      return doneOrDaysLeft(await exportCommand(client, command, config, stop, output));
    case 'verify':
      return doneOrDaysLeft(await verifyCommand(client, command, config, stop, output));
    case 'redecode':
      return doneOrDaysLeft(await redecodeCommand(client, command.scope, config, stop, output));
    case 'files':
      return doneOrDaysLeft(await importCommand(client, command, config, stop, output));
    case 'load':
      return loadCommand(client, command, config, stop, output);
  }
}

function doneOrDaysLeft(isDone: boolean): ExitReason {
  return isDone ? 'done' : 'daysLeft';
}
