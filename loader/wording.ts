import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from '../clickhouse/model/day.ts';
import type { FetchEvents } from './http/fetch-with-retry.ts';

/** A number with its noun: `1 report`, `2 reports`. */
export function plural(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** A human-readable duration: `45 s`, `12 min`, `3 h 20 min`, `6 days 4 h`, `358 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 100) return `${Math.round(seconds)} s`;
  if (seconds < 100 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 2 * SECONDS_PER_DAY) return withRest(Math.round(seconds / 60), 60, 'h', 'min');
  if (seconds < 10 * SECONDS_PER_DAY)
    return withRest(Math.round(seconds / SECONDS_PER_HOUR), 24, 'days', 'h');
  return `${Math.round(seconds / SECONDS_PER_DAY)} days`;
}

function withRest(count: number, per: number, unit: string, restUnit: string): string {
  const rest = count % per;
  return `${Math.floor(count / per)} ${unit}${rest === 0 ? '' : ` ${rest} ${restUnit}`}`;
}

/** Log messages about requests that fail. */
export function fetchMessages(log: (line: string) => void): FetchEvents {
  const duration = (seconds: number) => formatDuration(Math.ceil(seconds));
  return {
    pausing: (reason, seconds) => log(`source unavailable (${reason}); pausing ${duration(seconds)}`),
    retrying: (url, reason, seconds) => log(`retrying in ${duration(seconds)}: ${reason} (${url})`),
  };
}

/** `2024-01-31T12:51:00Z`. */
export function formatMinute(epochSeconds: number): string {
  return `${new Date(epochSeconds * 1000).toISOString().slice(0, 19)}Z`;
}

/** The message about a station with reports of a year under both types, and what to do. */
export function repeatedText({ station, year, reports }: { station: string; year: number; reports: number }) {
  return `${station} has ${plural(reports, 'report')} of ${year} twice, under both types: load this year of it again with --refetch`;
}
