import type { Archive } from '../clickhouse/archive.ts';
import { readServerTime } from '../clickhouse/server-time.ts';
import { formatDuration, formatMinute } from './wording.ts';

// The clock of this machine alone does not prove that a day is over (D70): a loader whose clock was ten days ahead recorded
// future days as done. The clocks of the sources and of the archive prove it, and must agree with that of this machine.

/** Clocks that NTP keeps differ by less than a second. */
const MAX_DIFFERENCE_SECONDS = 300;

/** Two clocks differ, so it is not known which days are over: nothing may be requested or recorded. */
export class ClockError extends Error {
  override readonly name = 'ClockError';
}

/**
 * The time of the archive's server, in seconds since 1970-01-01T00:00:00Z.
 *
 * @throws ClockError if it differs from the time of this machine by more than five minutes
 */
export async function readArchiveClock(archive: Archive, now: () => Date): Promise<number> {
  const begunAt = now();
  const time = await readServerTime(archive);
  compareClocks({ from: begunAt, to: now() }, time, 'ClickHouse');
  return time;
}

/**
 * Compares the time of a response with the time from its request to its arrival: Apache sends the time of the request
 * as `Date`, and IEM computes for minutes.
 *
 * @param other seconds since 1970-01-01T00:00:00Z; `of`: whose clock this is
 * @throws ClockError if they differ by more than five minutes
 */
export function compareClocks({ from, to }: { from: Date; to: Date }, other: number, of: string): void {
  const ahead = from.getTime() / 1000 - other;
  const behind = other - to.getTime() / 1000;
  if (Math.max(ahead, behind) <= MAX_DIFFERENCE_SECONDS) return;
  const own = ahead > 0 ? from : to;
  const difference = `${formatDuration(Math.max(ahead, behind))} ${ahead > 0 ? 'ahead of' : 'behind'}`;
  throw new ClockError(
    `The clock of this machine (${formatMinute(own.getTime() / 1000)}) is ${difference} that of ${of} (${formatMinute(other)}): correct the one that is wrong. Until then nothing is loaded`,
  );
}

/**
 * When the source made a response, and when the response was sent, perhaps by a cache, according to the clock of the sender. In
 * seconds since 1970-01-01T00:00:00Z; `undefined` without a readable `Date` (RFC 9110, 5.6.7).
 */
export function responseTime(headers: Headers) {
  const date = headers.get('date') ?? '';
  // Without a zone, Date.parse assumes that of this machine.
  const madeAt = date.endsWith(' GMT') ? Date.parse(date) / 1000 : Number.NaN;
  if (Number.isNaN(madeAt)) return undefined;
  const age = headers.get('age') ?? '';
  return { madeAt, sentAt: madeAt + (/^\d{1,9}$/.test(age) ? Number(age) : 0) };
}
