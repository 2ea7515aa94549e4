import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive, readInsertSettings } from '../../clickhouse/client.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import { migrate } from '../../clickhouse/schema.ts';
import { locateArchive } from '../../clickhouse/settings/locate-archive.ts';
import { compressionWarning, durabilityWarning } from '../../clickhouse/settings/server-warnings.ts';
import type { ArchiveLocation } from '../../clickhouse/settings/settings.ts';
import type { Config } from '../config.ts';
import type { Interruption } from '../interruption.ts';
import type { ConsoleOutput } from '../progress/display.ts';

/** What a command works with. */
export type CommandContext = {
  readonly client: Archive;
  readonly config: Config;
  readonly stop: Interruption;
  readonly output: ConsoleOutput;
};

const CONNECTIONS = 10;

/** The embedded engine could not be started or joined. The message says why; the operator needs no stack trace. */
export class ArchiveNotOpenedError extends Error {
  override readonly name = 'ArchiveNotOpenedError';
}

/**
 * Runs work with the archive open and its schema migrated, unless `stopping` aborts before.
 *
 * @param login of the embedded engine: that of the api may only read
 */
export async function withArchive<T>(
  location: ArchiveLocation,
  log: (line: string) => void,
  stopping: AbortSignal,
  work: (client: Archive) => Promise<T>,
  login: 'api' | 'loader' = 'loader',
): Promise<T> {
  const archive = await locateArchive(location, login, log, stopping).catch((cause: Error) => {
    // The caller recognizes these errors itself.
    const isKnown = stopping.aborted || isDiskFull(cause) || storageFailure(cause) !== 'unknown';
    if (isKnown || location.kind === 'server') throw cause;
    const message = `The archive in ${location.dataDir} cannot be opened: ${cause.message}`;
    throw new ArchiveNotOpenedError(message, { cause });
  });
  try {
    const created = await migrate(archive.adminSettings);
    if (created.length > 0) log(`The schema of the archive lacked ${created.join(', ')}: created.`);
    await archive.recover();
    const insertSettings = await readInsertSettings(archive.settings);
    const client = archive.watch(openArchive(archive.settings, CONNECTIONS, insertSettings));
    try {
      const isCluster = archive.settings.cluster !== undefined;
      const durability = await durabilityWarning(client, isCluster, stopping);
      for (const warning of [durability, await compressionWarning(client, stopping)])
        if (warning !== undefined) log(warning);
      return await work(client);
    } finally {
      await client.close();
    }
  } finally {
    await archive.leave();
  }
}
