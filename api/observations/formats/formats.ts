import type { StreamFormat } from '../../../clickhouse/observations/stream/output-formats.ts';

/** The formats of an answer with their media types (D33). The first one is the default. */
export const MEDIA_TYPES = {
  json: 'application/json',
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  parquet: 'application/vnd.apache.parquet',
  arrow: 'application/vnd.apache.arrow.stream',
} as const satisfies Readonly<Record<'json' | StreamFormat, string>>;

export type Format = keyof typeof MEDIA_TYPES;
