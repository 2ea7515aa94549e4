import { DECODED_FIELDS } from '../model/fields.ts';
import { type ChosenField, chosenJson } from './chosen-fields.ts';
import { decodedExpression } from './observation-columns.ts';
import type { Representations } from './row-selection.ts';

// Expressions over one row of `observations` with the alias `report`.

/** KJFK-200501010000-01234567 */
export const ID =
  "concat(report.station, '-', formatDateTime(report.observedAt, '%Y%m%d%H%i'), '-', leftPad(lower(hex(report.fingerprint)), 8, '0'))";

/** Of a report with decoded fields. */
export const PARSE_STATUS = "multiIf(report.clean, 'parsed', report.decoder > 0, 'failed', 'raw_only')";

const DECODED_JSON = withoutEmptyLists(
  `toJSONString(${decodedExpression()})`,
  DECODED_FIELDS.filter(isList).map(({ name }) => name),
);

/**
 * The record of the contract as JSON text, in pages and in NDJSON: without `decoded` where the report was not parsed
 * (D7), and without the lists that are empty (D9). The text of a report cannot contain the names of these lists: inside
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

export function isList({ type }: Pick<ChosenField, 'type'>): boolean {
  return typeof type === 'object' && 'items' in type;
}
