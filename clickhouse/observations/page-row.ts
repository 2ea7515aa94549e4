import type { Position, ReportType } from '../model/report.ts';

// ClickHouse prints each row of page.sql as one record of the contract. The first keys have a fixed width, so two rows
// of one report are recognized by comparing text, and a row is parsed only where a cursor needs its position.
const KEY_WIDTH =
  '{"id":"KJFK-200501010000-01234567","station":"KJFK","observedAt":"2005-01-01T00:00:00Z","type":"METAR"'
    .length;
const STATUS_AT = KEY_WIDTH + ',"parseStatus":"'.length;

/** The same text for two versions of one report. */
export function keyOf(row: string): string {
  return row.slice(0, KEY_WIDTH);
}

export function isRetracted(row: string): boolean {
  return row.startsWith('retracted', STATUS_AT);
}

export function positionOf(row: string): Position {
  const key = JSON.parse(`${keyOf(row)}}`) as {
    id: string;
    station: string;
    observedAt: string;
    type: ReportType;
  };
  return {
    observedAt: Date.parse(key.observedAt) / 1000,
    station: key.station,
    type: key.type,
    fingerprint: key.id.slice(-8),
  };
}

/**
 * The row as it is served: `decoded` only where the report parsed cleanly (D7), and without the empty lists that
 * ClickHouse cannot leave out (D9). The text of a report cannot contain these keys: inside a JSON string every quote
 * has a backslash before it.
 */
export function recordOf(row: string): string {
  if (row.startsWith('parsed', STATUS_AT)) return row.replace('"rvr":[],', '').replace('"clouds":[],', '');
  const decodedAt = row.lastIndexOf(',"decoded":{');
  return decodedAt < 0 ? row : `${row.slice(0, decodedAt)}}`;
}
