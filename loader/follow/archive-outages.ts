import type { Archive } from '../../clickhouse/archive.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import type { Timer } from '../http/retry-policy.ts';
import type { Log } from '../progress/display.ts';
import { formatDuration } from '../wording.ts';

/** From a failure of the archive to the next attempt. */
const PAUSE_MS = 30_000;
/** An archive may be away for days, and is tried twice a minute. */
const MS_BETWEEN_LINES = 3_600_000;

/** Logs an outage of the archive: when it begins, once an hour while it lasts, and its end. */
export class ArchiveOutage {
  private readonly log: Log;
  private readonly timer: Timer;
  private beganAt: number | undefined;
  private loggedAt = 0;

  constructor(log: Log, timer: Timer) {
    this.log = log;
    this.timer = timer;
  }

  /** Logs an error that is a failure of the archive. Returns whether it is one. */
  failed(error: unknown): boolean {
    if (!isDiskFull(error) && storageFailure(error) === 'unknown') return false;
    const reason = isDiskFull(error) ? 'its disk is full, free some space' : String(error);
    const now = this.timer.elapsedMs();
    const isFirst = this.beganAt === undefined;
    this.beganAt ??= now;
    if (isFirst || now - this.loggedAt >= MS_BETWEEN_LINES) {
      this.loggedAt = now;
      this.log(`waiting for the archive${isFirst ? '' : ` for ${this.duration()}`}: ${reason}`);
    }
    return true;
  }

  /** Waits until the archive may be tried again; throws an error that is no failure of the archive. */
  async waitAfter(error: unknown, signal: AbortSignal): Promise<void> {
    if (signal.aborted || !this.failed(error)) throw error;
    await this.timer.sleep(PAUSE_MS, signal);
  }

  ended(): void {
    if (this.beganAt === undefined) return;
    this.log(`the archive is available again after ${this.duration()}`);
    this.beganAt = undefined;
  }

  private duration(): string {
    return formatDuration((this.timer.elapsedMs() - (this.beganAt ?? 0)) / 1000);
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
      outage.failed(error);
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
