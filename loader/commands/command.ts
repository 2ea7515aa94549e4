import assert from 'node:assert/strict';
import { type Command, Option } from '@commander-js/extra-typings';
import { storeAerodromes } from '../../clickhouse/aerodromes/aerodromes.ts';
import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { openArchive, readInsertSettings } from '../../clickhouse/client.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { locateArchive } from '../../clickhouse/settings/locate-archive.ts';
import { durabilityWarning } from '../../clickhouse/settings/server-warnings.ts';
import { ClockError, readArchiveClock } from '../clocks.ts';
import type { Config } from '../config.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { Interruption } from '../interruption.ts';
import type { ConsoleOutput } from '../progress/display.ts';

export type ProcessContext = {
  readonly config: Config;
  readonly stop: Interruption;
  readonly output: ConsoleOutput;
};

/** Results go to standard output, messages and progress to standard error. */
type Run = (context: ProcessContext) => Promise<ExitReason>;

export type CommandContext = ProcessContext & { readonly archive: Archive };

type ArchiveNeeds = {
  /** The login to the embedded engine. That of the api may only read. */
  readonly login?: 'api' | 'loader';
  /** Whether the command decides which days are over, or which reports are in the future, so that clocks must agree. */
  readonly needsTime?: boolean;
};

export type LoaderProgram = ReturnType<typeof loaderProgram>;

/** The command line, to which the file of each command adds its declaration. */
export function loaderProgram(root: Command) {
  let accepted: { readonly command: { readonly kind: string }; readonly run: Run } | undefined;
  /** As `accept`, for a command that opens the archive itself. */
  const acceptRun = (command: { readonly kind: string }, run: Run): void => {
    accepted = { command, run };
  };
  return {
    acceptRun,
    /** The command whose action has run. */
    accepted: () => accepted ?? assert.fail('no action has run'),
    /** @param usage what follows `npm run load -- ` */
    add(usage: string, description: string): Command {
      const [name = ''] = usage.startsWith('-') ? ['load'] : usage.split(' ');
      const command = root.command(name).description(description).usage(usage);
      return command
        .allowExcessArguments()
        .addOption(new Option('-q, --quiet', 'print no progress')) as Command;
    },
    /**
     * Called by the action of a command, which then works with the archive open.
     *
     * @param work returns whether all is done, or why it ends; throws ClockError if a source has another time
     */
    accept<const C extends { readonly kind: string }>(
      command: C,
      work: (context: CommandContext, command: C) => Promise<boolean | ExitReason>,
      { login = 'loader', needsTime = false }: ArchiveNeeds = {},
    ): void {
      acceptRun(command, (context) =>
        openedArchive(context, login, async (archive) => {
          try {
            await readArchiveClock(archive, () => new Date());
          } catch (error) {
            if (!(error instanceof ClockError) || needsTime) throw error;
            context.output.log(error.message);
          }
          const result = await work({ ...context, archive }, command);
          if (typeof result === 'string') return result;
          return result ? 'done' : 'daysLeft';
        }),
      );
    },
  };
}

const CONNECTIONS = 10;

/** The archive could not be opened, or its schema not be made. The message says why; the operator needs no stack trace. */
export class ArchiveNotOpenedError extends Error {
  override readonly name = 'ArchiveNotOpenedError';
}

/** Runs work with the archive open and its schema up to date, unless the user stops it first. An abort cancels its statements. */
export async function openedArchive<T>(
  { config: { archive: location }, stop, output: { log } }: ProcessContext,
  login: 'api' | 'loader',
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const stopping = stop.afterSlice;
  const explain = (cause: Error) => {
    // The caller recognizes these errors itself.
    if (stopping.aborted || isDiskFull(cause) || storageFailure(cause) !== 'unknown') throw cause;
    const where = location.kind === 'server' ? location.settings.url : location.dataDir;
    throw new ArchiveNotOpenedError(`The archive in ${where} cannot be opened: ${cause.message}`, { cause });
  };
  const located = await locateArchive(location, login, log, stopping).catch(explain);
  try {
    const created = await migrate(located.adminSettings).catch(explain);
    if (created.length > 0) log(`The schema of the archive lacked ${created.join(', ')}: created.`);
    await located.recover();
    await storeAerodromes(located.adminSettings, log);
    const insertSettings = await readInsertSettings(located.settings);
    const archive = openArchive(located.settings, CONNECTIONS, insertSettings);
    try {
      const warning = await durabilityWarning(archive, stopping);
      if (warning !== undefined) log(warning);
      return await work(canceledBy(stop.now, archive));
    } finally {
      await archive.close();
    }
  } finally {
    await located.leave();
  }
}
