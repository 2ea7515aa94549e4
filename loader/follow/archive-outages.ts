import type { Archive } from '../../clickhouse/archive.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import type { Log } from '../progress/display.ts';
import { formatDuration } from '../wording.ts';

/** Why the archive is unavailable; `undefined` if waiting does not help. */
export function archiveFailure(error: unknown): string | undefined {
  if (isDiskFull(error)) return 'its disk is full, free some space';
  return storageFailure(error) === 'unknown' ? undefined : String(error);
}

const MINUTE_MS = 60_000;
/** An archive may be away for days, and is tried twice a minute. */
const MINUTES_BETWEEN_LINES = 60;

/** Logs an outage of the archive: when it begins, once an hour while it lasts, and its end. */
export class ArchiveOutage {
  private readonly log: Log;
  private readonly now: () => Date;
  private beganAt: number | undefined;
  private loggedAt = 0;

  constructor(log: Log, now: () => Date) {
    this.log = log;
    this.now = now;
  }

  failed(reason: string): void {
    const now = this.now().getTime();
    const isFirst = this.beganAt === undefined;
    this.beganAt ??= now;
    if (!isFirst && now - this.loggedAt < MINUTES_BETWEEN_LINES * MINUTE_MS) return;
    this.loggedAt = now;
    this.log(`waiting for the archive${isFirst ? '' : ` for ${this.duration()}`}: ${reason}`);
  }

  ended(): void {
    if (this.beganAt === undefined) return;
    this.log(`the archive can be used again, after ${this.duration()}`);
    this.beganAt = undefined;
  }

  private duration(): string {
    return formatDuration((this.now().getTime() - (this.beganAt ?? 0)) / 1000);
  }
}

/**
 * An archive whose failures are logged at once. The loader repeats a statement for minutes before its cycle fails, and
 * would log nothing until then. Only a write ends an outage: an archive whose disk is full still answers questions.
 */
export function announceOutages(client: Archive, outage: ArchiveOutage): Archive {
  const watch = async <T>(statement: Promise<T>): Promise<T> => {
    try {
      return await statement;
    } catch (error) {
      const reason = archiveFailure(error);
      if (reason !== undefined) outage.failed(reason);
      throw error;
    }
  };
  const watchWrite = async <T>(statement: Promise<T>): Promise<T> => {
    const result = await watch(statement);
    outage.ended();
    return result;
  };
  return {
    ...client,
    select: (...args) => watch(client.select(...args)),
    stream: (...args) => watch(client.stream(...args)),
    insert: (...args) => watchWrite(client.insert(...args)),
    command: (...args) => watchWrite(client.command(...args)),
  };
}
