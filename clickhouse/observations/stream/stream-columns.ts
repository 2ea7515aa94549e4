import { DECODED_FIELDS, type Field, type FieldType, isList } from '../../model/fields.ts';
import { chosenFields } from '../chosen-fields.ts';
import { ID, PARSE_STATUS } from '../record-line.ts';
import type { Representations } from '../row-selection.ts';

/** Expressions over one row `report` of the statement of a stream, with the columns that `readColumns` names. */
type Expressions = (representations: Representations) => readonly string[];

/** One column per field as text: lists as JSON, empty ones omitted. */
export const csvColumns: Expressions = (representations) =>
  columns(representations, 'report.observedAt', 'report.type', textValue);

/**
 * One column per field, with a type that other programs know and can calculate with: DateTime and Enum8 are
 * ClickHouse's own, and pandas takes a Decimal for an object.
 */
export const typedColumns: Expressions = (representations) =>
  columns(
    representations,
    "toDateTime64(report.observedAt, 3, 'UTC')",
    "CAST(report.type, 'String')",
    typedValue,
  );

/** A value as text. */
export function textValue(type: FieldType, value: string): string {
  return isList(type) ? `if(notEmpty(${value}), toJSONString(${value}), NULL)` : value;
}

/** A value with a type that other programs know. */
export function typedValue(type: FieldType, value: string): string {
  if (isList(type)) return `CAST(${value}, '${listType(type.items)}')`;
  return Array.isArray(type) || type === 'Decimal' ? `CAST(${value}, 'Nullable(${plainType(type)})')` : value;
}

function columns(
  { raw, decoded, fields }: Representations,
  observedAt: string,
  type: string,
  express: (type: FieldType, value: string) => string,
): readonly string[] {
  const values =
    fields === undefined
      ? DECODED_FIELDS.map((field) => ({ ...field, alias: `report.${field.name}` }))
      : chosenFields(fields);
  return [
    `${ID} AS id`,
    "CAST(report.station, 'String') AS station",
    `${observedAt} AS observedAt`,
    `${type} AS type`,
    `${decoded ? PARSE_STATUS : "'raw_only'"} AS parseStatus`,
    ...(raw ? ['report.raw AS raw'] : []),
    ...(decoded ? values.map((field) => `${express(field.type, field.alias)} AS ${field.name}`) : []),
  ];
}

/** The type of a list, with the values of each Enum8 as text. */
function listType(items: readonly Field[]): string {
  const types = items.map(({ name, type, required }) =>
    required ? `${name} ${plainType(type)}` : `${name} Nullable(${plainType(type)})`,
  );
  return `Array(Tuple(${types.join(', ')}))`;
}

function plainType(type: FieldType): string {
  if (typeof type === 'object') return 'String';
  if (type === 'Decimal') return 'Float64';
  return type === 'true' ? 'Bool' : type;
}
