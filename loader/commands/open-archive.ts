import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { openArchive, readInsertSettings } from '../../clickhouse/client.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { locateArchive } from '../../clickhouse/settings/locate-archive.ts';
import { compressionWarning, durabilityWarning } from '../../clickhouse/settings/server-warnings.ts';
import type { ArchiveLocation } from '../../clickhouse/settings/settings.ts';
import type { ProcessContext, Run } from '../args/program.ts';
import { ClockError, readArchiveClock } from '../clocks.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { Interruption } from '../interruption.ts';

/** What a command works with. */
export type CommandContext = Omit<ProcessContext, 'stop'> & {
  readonly archive: Archive;
  readonly stop: Interruption;
};

type ArchiveNeeds = {
  /** The login at the embedded engine: that of the api may only read. */
  readonly login?: 'api' | 'loader';
  /** It decides which days are over, or which reports lie ahead. */
  readonly needsTime?: boolean;
};

/**
 * Runs a command with the archive open.
 *
 * @param work returns whether all is done, or why it ends; throws ClockError if a source has another time
 */
export function inArchive(
  work: (context: CommandContext) => Promise<boolean | ExitReason>,
  { login = 'loader', needsTime = false }: ArchiveNeeds = {},
): Run {
  return (context) =>
    openedArchive(context, login, async (archive) => {
      try {
        await readArchiveClock(archive, () => new Date());
      } catch (error) {
        if (!(error instanceof ClockError) || needsTime) throw error;
        context.output.log(error.message);
      }
      const result = await work({ ...context, archive });
      if (typeof result === 'string') return result;
      return result ? 'done' : 'daysLeft';
    });
}

/** Runs work with the archive open; its statements are canceled when the user aborts. */
export function openedArchive<T>(
  { config, stop, output }: ProcessContext,
  login: 'api' | 'loader',
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const run = (archive: Archive) => work(canceledBy(stop.now, archive));
  return withArchive({ location: config.archive, login, log: output.log, stopping: stop.afterSlice }, run);
}

const CONNECTIONS = 10;

/** The embedded engine could not be started or joined. The message says why; the operator needs no stack trace. */
export class ArchiveNotOpenedError extends Error {
  override readonly name = 'ArchiveNotOpenedError';
}

type ArchiveToOpen = {
  readonly location: ArchiveLocation;
  readonly login: 'api' | 'loader';
  readonly log: (line: string) => void;
  readonly stopping: AbortSignal;
};

/** Runs work with the archive open and its schema migrated, unless `stopping` aborts before. */
async function withArchive<T>(
  { location, login, log, stopping }: ArchiveToOpen,
  work: (archive: Archive) => Promise<T>,
): Promise<T> {
  const located = await locateArchive(location, login, log, stopping).catch((cause: Error) => {
    // The caller recognizes these errors itself.
    const isKnown = stopping.aborted || isDiskFull(cause) || storageFailure(cause) !== 'unknown';
    if (isKnown || location.kind === 'server') throw cause;
    const message = `The archive in ${location.dataDir} cannot be opened: ${cause.message}`;
    throw new ArchiveNotOpenedError(message, { cause });
  });
  try {
    const created = await migrate(located.adminSettings);
    if (created.length > 0) log(`The schema of the archive lacked ${created.join(', ')}: created.`);
    await located.recover();
    const insertSettings = await readInsertSettings(located.settings);
    const archive = located.watch(openArchive(located.settings, CONNECTIONS, insertSettings));
    try {
      const isCluster = located.settings.cluster !== undefined;
      const durability = await durabilityWarning(archive, isCluster, stopping);
      for (const warning of [durability, await compressionWarning(archive, stopping)])
        if (warning !== undefined) log(warning);
      return await work(archive);
    } finally {
      await archive.close();
    }
  } finally {
    await located.leave();
  }
}
