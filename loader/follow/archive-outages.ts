import type { Archive } from '../../clickhouse/archive.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import type { Log } from '../progress/console.ts';

/** Why the archive cannot be used at present; `undefined` where waiting does not help. */
export function archiveFailure(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'its disk is full, free some space';
  return storageFailure(error) === 'unknown' ? undefined : String(error);
}

/** The archive, whose outages are said at once, each one time: a statement is repeated for minutes before a cycle ends. */
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
