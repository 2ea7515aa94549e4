/** Doubling with every failure, from the pace of the source, and up to half as much again by chance. */
const LEAST_SECONDS = 0.1;
/** As many times the pace, and ten minutes, are the most: five minutes at a pace of 2 s. */
const MOST_TIMES = 150;
const MOST_SECONDS = 600;

/** Seconds to wait after the `failures`-th failure in a row, counted from 1. */
export function backoffSeconds(
  failures: number,
  intervalSeconds: number,
  chance: number = Math.random(),
): number {
  const least = Math.max(LEAST_SECONDS, intervalSeconds);
  const doubled = least * Math.min(MOST_TIMES, 2 ** (failures - 1));
  return Math.min(MOST_SECONDS, doubled * (1 + chance / 2));
}

/**
 * Seconds that a `Retry-After` header asks for (RFC 9110, 10.2.3: a number of seconds or a date); `undefined` where it
 * says nothing. Never more than an hour: a source that asks for a week has lost its clock.
 */
export function retryAfterSeconds(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(3600, Math.max(0, seconds));
}
