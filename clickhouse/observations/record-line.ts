import { DECODED_FIELDS, isList } from '../model/fields.ts';
import { chosenJson } from './chosen-fields.ts';
import type { Representations } from './row-selection.ts';

// Expressions over one row of `observations` with the alias `report`.

/** KJFK-200501010000-01234567 */
export const ID =
  "concat(report.station, '-', formatDateTime(report.observedAt, '%Y%m%d%H%i'), '-', leftPad(lower(hex(report.fingerprint)), 8, '0'))";

/** Of a report with decoded fields. */
export const PARSE_STATUS = "multiIf(report.clean, 'parsed', report.decoder > 0, 'failed', 'raw_only')";

/** The elements of the tuple have the names of its columns: see `PRINTING` in `clickhouse/client.ts`. */
const DECODED_JSON = withoutEmptyLists(
  `toJSONString(tuple(${DECODED_FIELDS.map(({ name }) => `report.${name}`).join(', ')}))`,
  DECODED_FIELDS.filter(({ type }) => isList(type)).map(({ name }) => name),
);

/**
 * The record of the contract as JSON text, in pages and in NDJSON: without `decoded` where the report was not parsed
 * and without the lists that are empty. The text of a report cannot contain the names of these lists: inside
 * a JSON string every quote has a backslash before it, and they are removed from `decoded` alone.
 *
 * With chosen fields, their aliases (`chosenColumns`) are names of the statement. Without decoded fields, one expression
 * takes the server less time than `JSONEachRow` over columns.
 */
export function recordLine({ raw, decoded, fields }: Representations): string {
  const json = fields === undefined ? DECODED_JSON : chosenJson(fields);
  const parts = [
    `'{"id":"', ${ID}`,
    `'","station":"', report.station`,
    `'","observedAt":"', formatDateTime(report.observedAt, '%Y-%m-%dT%H:%i:%SZ')`,
    `'","type":"', CAST(report.type, 'String')`,
    // Readers of pages leave retracted rows out themselves.
    `'","parseStatus":"', if(report.retracted, 'retracted', ${decoded ? PARSE_STATUS : "'raw_only'"}), '"'`,
    ...(raw ? [`',"raw":', toJSONString(report.raw)`] : []),
    ...(decoded ? [`if(report.clean, concat(',"decoded":', ${json}), '')`] : []),
    `'}'`,
  ];
  return `concat(${parts.join(', ')})`;
}

/** A comma follows each list, because `cavok` is always present and comes after them. */
function withoutEmptyLists(json: string, names: readonly string[]): string {
  return names.reduce((text, name) => `replaceOne(${text}, '"${name}":[],', '')`, json);
}
