import type { Position } from '../../../clickhouse/model/report.ts';

/** The id of a record (D3): readable, URL-safe, and the same on every machine and from every source. */
export function recordId({ station, observedAt, fingerprint }: Omit<Position, 'type'>): string {
  const minute = new Date(observedAt * 1000).toISOString().replace(/[-T:]/g, '').slice(0, 12);
  return `${station}-${minute}-${fingerprint}`;
}
