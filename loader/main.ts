import { isAccessDenied, isDiskFull, isLoginRefused, storageFailure } from '../clickhouse/errors.ts';
import { ignoreClosedOutput } from '../clickhouse/program-arguments.ts';
import { readLogFormat } from '../clickhouse/settings/settings.ts';
import { SnapshotError } from '../clickhouse/snapshot/manifest.ts';
import { ClockError } from './clocks.ts';
import { readCommandLine } from './command-line.ts';
import { ArchiveNotOpenedError } from './commands/command.ts';
import { readConfig } from './config.ts';
import { EXIT_CODES, type ExitReason } from './exit-codes.ts';
import { type Interruption, interruptOnSignals } from './interruption.ts';
import { consoleOutput } from './progress/display.ts';
import { FolderFullError } from './snapshot/snapshot-folder.ts';

const line = readCommandLine(process.argv.slice(2));
const settings = readConfig(process.env);
const output = consoleOutput(process.stdout, process.stderr, {
  format: readLogFormat(process.env),
  isQuiet: line.kind === 'command' && line.isQuiet,
});
const { log } = output;

async function main(stop: Interruption): Promise<ExitReason> {
  if (line.kind === 'help') {
    output.print(line.text);
    return 'done';
  }
  if (line.kind === 'mistake') log(line.text);
  if (settings.kind === 'invalid') for (const error of settings.errors) log(error);
  if (line.kind === 'mistake' || settings.kind === 'invalid') return 'invalidArguments';
  const reason = await line.run({ config: settings.config, stop, output });
  return reason === 'daysLeft' && stop.afterSlice.aborted ? 'interrupted' : reason;
}

function failureReason(error: unknown): ExitReason {
  if (stop.now.aborted || error === stop.afterSlice.reason) return 'interrupted';
  if (error instanceof ClockError) {
    log(`${error.message}.`);
    return 'daysLeft';
  }
  if (error instanceof SnapshotError) {
    log(error.message);
    return 'snapshotRefused';
  }
  if (error instanceof FolderFullError || isDiskFull(error)) {
    log(
      error instanceof FolderFullError ? error.message : `The disk of the archive is full: ${String(error)}`,
    );
    log('Free some space, then run the same command to resume.');
    return 'diskFull';
  }
  if (storageFailure(error) !== 'unknown') {
    log(
      isLoginRefused(error)
        ? 'ClickHouse refuses the login: check CLICKHOUSE_USER and CLICKHOUSE_PASSWORD.'
        : `ClickHouse is not reachable: ${String(error)}. Run the same command again once it is.`,
    );
    // A frozen engine is ended when the loader stops, which breaks the loader's last statements.
    return stop.afterSlice.aborted ? 'interrupted' : 'archiveUnavailable';
  }
  if (isAccessDenied(error)) {
    log('The user of CLICKHOUSE_USER may not write to the archive: run the same command as history_loader.');
    return 'invalidArguments';
  }
  log(error instanceof ArchiveNotOpenedError ? error.message : String((error as Error).stack ?? error));
  return 'failed';
}

ignoreClosedOutput();
// The first signal ends `follow`, which finishes no slices.
const isFollow = line.kind === 'command' && line.command.kind === 'follow';
const stop = interruptOnSignals(isFollow ? () => {} : log);
const reason = await main(stop).catch(failureReason);
if (reason === 'interrupted') log('Interrupted. Run the same command to resume.');
process.exitCode = EXIT_CODES[reason].code;
