import { ADDED_NAMES, DECODED_FIELDS, type Field } from '../../model/fields.ts';
import { type ChosenField, chosenFields } from '../chosen-fields.ts';
import { ID, isList, PARSE_STATUS } from '../record-line.ts';
import type { Representations } from '../row-selection.ts';

/** Expressions over one row `report` of stream.sql, with the columns that `readColumns` names. */
type Expressions = (representations: Representations) => readonly string[];

/** One column a field as text: lists as JSON, and no list where it is empty. */
export const csvColumns: Expressions = (representations) =>
  columns(representations, 'report.observedAt', 'report.type', (field, value) =>
    isList(field)
      ? `if(report.clean AND notEmpty(${value}), toJSONString(${value}), NULL)`
      : `if(report.clean, ${value}, NULL)`,
  );

/**
 * One column a field with a type that other programs know and count with: DateTime and Enum8 are ClickHouse's own, and
 * pandas takes a Decimal for an object.
 */
export const typedColumns: Expressions = (representations) =>
  columns(
    representations,
    "toDateTime64(report.observedAt, 3, 'UTC')",
    "CAST(report.type, 'String')",
    (field, value) => `if(report.clean, ${typedValue(field, value)}, ${isList(field) ? '[]' : 'NULL'})`,
  );

/** A value with a type that other programs know. */
export function typedValue(field: Pick<ChosenField, 'type'>, value: string): string {
  const { type } = field;
  if (typeof type === 'object' && 'items' in type) return `CAST(${value}, '${typeOf(field)}')`;
  return Array.isArray(type) || type === 'Decimal' ? `CAST(${value}, 'Nullable(${plainType(type)})')` : value;
}

function columns(
  representations: Representations,
  observedAt: string,
  type: string,
  decoded: (field: Pick<ChosenField, 'name' | 'type'>, value: string) => string,
): readonly string[] {
  return [
    `${ID} AS id`,
    "CAST(report.station, 'String') AS station",
    `${observedAt} AS observedAt`,
    `${type} AS type`,
    `${representations.decoded ? PARSE_STATUS : "'raw_only'"} AS parseStatus`,
    ...(representations.raw ? ['report.raw AS raw'] : []),
    ...(representations.decoded
      ? fieldsOf(representations).map((field) => `${decoded(field, field.alias)} AS ${field.name}`)
      : []),
  ];
}

function fieldsOf({ fields }: Representations): readonly Pick<ChosenField, 'name' | 'type' | 'alias'>[] {
  if (fields !== undefined) return chosenFields(fields);
  return DECODED_FIELDS.map(({ name, type }) => {
    const alias = ADDED_NAMES.has(name) ? `report.${name}` : `tupleElement(report.decoded, '${name}')`;
    return { name, type, alias };
  });
}

/** The type of a list, with the values of each Enum8 as text. */
function typeOf({ type, required }: Pick<Field, 'required'> & Pick<ChosenField, 'type'>): string {
  if (typeof type === 'object' && 'items' in type)
    return `Array(Tuple(${type.items.map((item) => `${item.name} ${typeOf(item)}`).join(', ')}))`;
  const name = plainType(type);
  return required ? name : `Nullable(${name})`;
}

function plainType(type: Exclude<ChosenField['type'], { readonly items: readonly Field[] }>): string {
  if (typeof type === 'object') return 'String';
  if (type === 'Decimal') return 'Float64';
  return type === 'true' ? 'Bool' : type;
}
