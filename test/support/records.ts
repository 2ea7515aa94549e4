import type { Records } from '../../clickhouse/observations/records.ts';

export function parseRecords<Record>({ bytes }: Pick<Records, 'bytes'>): readonly Record[] {
  return JSON.parse(`[${bytes}]`) as Record[];
}
