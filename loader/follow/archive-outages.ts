import type { Archive } from '../../clickhouse/archive.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import type { Log } from '../progress/console.ts';

/** Why the archive cannot be used at present; `undefined` where waiting does not help. */
export function archiveFailure(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'its disk is full, free some space';
  return storageFailure(error) === 'unknown' ? undefined : String(error);
}

/**
 * An archive that logs the begin of each outage. The loader repeats a statement for minutes before its cycle fails, and
 * would log nothing until then.
 */
export function announceOutages(client: Archive, log: Log): Archive {
  let isOut = false;
  const watch = async <T>(statement: Promise<T>): Promise<T> => {
    try {
      const result = await statement;
      isOut = false;
      return result;
    } catch (error) {
      const reason = archiveFailure(error);
      if (reason !== undefined && !isOut) log(`waiting for the archive: ${reason}`);
      isOut ||= reason !== undefined;
      throw error;
    }
  };
  return {
    ...client,
    select: (...args) => watch(client.select(...args)),
    stream: (...args) => watch(client.stream(...args)),
    insert: (...args) => watch(client.insert(...args)),
    command: (...args) => watch(client.command(...args)),
  };
}
