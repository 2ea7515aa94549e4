import type { Select } from '../../../clickhouse/archive.ts';

/** Whether a statement asks for the clock of the server. */
export function isServerTime({ query }: Select): boolean {
  return query.includes('toUnixTimestamp(now()) AS time');
}

/** What a server with this clock answers. */
export function serverTimeOf(clock: Date): Buffer {
  return Buffer.from(`{"time":${Math.floor(clock.getTime() / 1000)}}\n`);
}
