import { type Archive, canceledBy } from '../../clickhouse/archive.ts';
import { isDiskFull, storageFailure } from '../../clickhouse/errors.ts';
import { ClockError, readArchiveClock } from '../clocks.ts';
import type { Config } from '../config.ts';
import type { Timer } from '../http/retry-policy.ts';
import { sourceContext, startRun } from '../pipeline/load-slice.ts';
import type { ConsoleOutput, LogLine } from '../progress/display.ts';
import { formatTally } from '../progress/load-progress.ts';
import type { SourceName } from '../sources/registry.ts';
import { formatDuration, formatMinute, plural } from '../wording.ts';
import type { FollowMetrics } from './metrics.ts';
import { type CycleResult, type FollowCommand, firstDayOf, sourceFollower } from './source-follower.ts';

/** The clock and the timer are parameters, so that a test can pass several days without waiting. */
type FollowOptions = {
  readonly now: () => Date;
  readonly timer: Timer;
  readonly output: Pick<ConsoleOutput, 'print' | 'log'>;
  readonly metrics: FollowMetrics;
  readonly signal: AbortSignal;
};

/**
 * Keeps the archive up to date (D51) until `signal` aborts: each source in its own cycles, so an unresponsive one
 * delays no other. It waits out failures of sources and of the archive; any other error ends it.
 */
export async function follow(
  archive: Archive,
  command: FollowCommand,
  config: Pick<Config, 'hosts' | 'userAgent'>,
  { now, timer, output, metrics, signal: stopping }: FollowOptions,
): Promise<void> {
  const failure = new AbortController();
  const signal = AbortSignal.any([stopping, failure.signal]);
  const outage = archiveOutage(output.log, timer);
  const announced = announceOutages(canceledBy(signal, archive), outage);
  const { everySeconds, intervalSeconds } = command;
  metrics.watch(archive);

  async function runCycles(source: SourceName): Promise<never> {
    const log = (line: string) => output.log(`${source}: ${line}`);
    const clocks = waitLog(log, timer, 'for equal clocks', 'the clocks are equal again');
    const runCycle = sourceFollower(command, source, log, (events) =>
      sourceContext(startRun(announced, now), source, { ...config, intervalSeconds, signal, events, timer }),
    );
    log(`following; the first cycle loads what is missing since ${firstDayOf(command, now())}`);
    for (;;) {
      // Measured by a timer that does not change when the clock is corrected.
      const next = timer.elapsedMs() + everySeconds * 1000;
      const untilNext = () => Math.max(0, Math.ceil(next - timer.elapsedMs()));
      try {
        await archive.ping(signal);
        await readArchiveClock(archive, now);
        const result = await runCycle(untilNext);
        outage.ended();
        clocks.ended();
        metrics.add(source, result, now());
        output.print(cycleLine(source, result, now(), new Date(now().getTime() + untilNext())));
        await timer.sleep(untilNext(), signal);
      } catch (error) {
        if (error instanceof ClockError) {
          clocks.waiting(error.message);
          await timer.sleep(Math.min(CLOCK_PAUSE_MS, everySeconds * 1000), signal);
        } else await outage.waitAfter(error, signal);
      }
    }
  }

  const cycles = command.sources.map((source) =>
    runCycles(source).catch((error: unknown) => {
      if (stopping.aborted) return;
      failure.abort(error);
      throw error;
    }),
  );
  await Promise.all(cycles);
}

function cycleLine(source: SourceName, result: CycleResult, now: Date, next: Date): string {
  const { tally, isComplete, daysNotDone, newestReport } = result;
  const age =
    newestReport === undefined
      ? 'no reports in the archive'
      : `newest report ${formatDuration(now.getTime() / 1000 - newestReport)} old`;
  const incomplete = isComplete ? '' : 'the source did not send everything; ';
  return `${formatMinute(now.getTime() / 1000)} ${source}: ${formatTally(tally)}; ${age}; ${plural(daysNotDone, 'day')} not done; ${incomplete}next cycle at ${formatMinute(next.getTime() / 1000)}`;
}

const PAUSE_MS = 30_000;
/** Time between comparisons of clocks that differ. Each takes a request to the source. */
const CLOCK_PAUSE_MS = 300_000;
/** Time between lines of the log during a wait: an archive can be unavailable for days, and is tried twice a minute. */
const MS_BETWEEN_LINES = 3_600_000;

/**
 * Logs a wait: when it begins, once an hour while it lasts, and when it ends.
 *
 * @param purpose what it waits for, as in `for the archive`; `end`: what the log says at the end of the wait
 */
function waitLog(log: LogLine, timer: Timer, purpose: string, end: string) {
  let beganAt: number | undefined;
  let loggedAt = 0;
  const duration = () => formatDuration((timer.elapsedMs() - (beganAt ?? 0)) / 1000);
  return {
    waiting(reason: string): void {
      const now = timer.elapsedMs();
      const isFirst = beganAt === undefined;
      beganAt ??= now;
      if (!isFirst && now - loggedAt < MS_BETWEEN_LINES) return;
      loggedAt = now;
      log(`waiting ${purpose}${isFirst ? '' : ` for ${duration()}`}: ${reason}`);
    },
    ended(): void {
      if (beganAt !== undefined) log(`${end} after ${duration()}`);
      beganAt = undefined;
    },
  };
}

type ArchiveOutage = ReturnType<typeof archiveOutage>;

export function archiveOutage(log: LogLine, timer: Timer) {
  const { waiting, ended } = waitLog(log, timer, 'for the archive', 'the archive is available again');
  /** Logs an error that is a failure of the archive. Returns whether it is one. */
  const failed = (error: unknown): boolean => {
    if (!isDiskFull(error) && storageFailure(error) === 'unknown') return false;
    waiting(isDiskFull(error) ? 'its disk is full, free some space' : String(error));
    return true;
  };
  return {
    failed,
    /** Waits until the archive may be tried again; throws an error that is no failure of the archive. */
    async waitAfter(error: unknown, signal: AbortSignal): Promise<void> {
      if (signal.aborted || !failed(error)) throw error;
      await timer.sleep(PAUSE_MS, signal);
    },
    ended,
  };
}

/**
 * An archive whose failures are logged at once. The loader repeats a statement for minutes before its cycle fails, and
 * would log nothing until then. Only a write ends an outage: an archive whose disk is full still answers questions.
 */
function announceOutages(archive: Archive, outage: ArchiveOutage): Archive {
  const watch = <T>(statement: Promise<T>): Promise<T> =>
    statement.catch((error: unknown) => {
      outage.failed(error);
      throw error;
    });
  const watchWrite = async <T>(statement: Promise<T>): Promise<T> => {
    const result = await watch(statement);
    outage.ended();
    return result;
  };
  return {
    ...archive,
    select: (...args) => watch(archive.select(...args)),
    stream: (...args) => watch(archive.stream(...args)),
    insert: (...args) => watchWrite(archive.insert(...args)),
    command: (...args) => watchWrite(archive.command(...args)),
  };
}
