import { type FieldType, isList } from '../model/fields.ts';
import { chosenFields } from '../observations/chosen-fields.ts';
import { textValue, typedValue } from '../observations/stream/stream-columns.ts';

/** The time of the first METAR of an hour; NULL if there is none. */
const OBSERVED_AT = 'firstAt';

/** Whether the first METAR meets the condition; an hour without one does not. */
export const FIRST_MEETS = `isNotNull(${OBSERVED_AT}) AND meets`;

/** What is read of each report in addition to its key: a SPECI has no values. */
export function reportColumns(fields: readonly string[]): readonly string[] {
  const values = chosenFields(fields).map((field) => {
    const absent = isList(field.type) ? '[]' : 'NULL';
    return `if(type = 'METAR', ${field.sql}, ${absent}) AS ${field.alias}`;
  });
  return ['nil', ...values];
}

/** A row as one line of JSON; unknown values are absent. */
export function jsonLine(fields: readonly string[]): string {
  const text = (time: string) => `formatDateTime(${time}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
  const members = chosenFields(fields).map((field) => {
    const isAbsent = isList(field.type) ? `empty(${field.alias})` : `isNull(${field.alias})`;
    return `if(${isAbsent}, '', concat(',"${field.name}":', toJSONString(${field.alias})))`;
  });
  const parts = [
    `'{"station":"', station, '","hour":"', ${text('toDateTime(nominal)')}, '"'`,
    `if(isNull(${OBSERVED_AT}), '', concat(',"observedAt":"', ${text(`assumeNotNull(${OBSERVED_AT})`)}, '"'))`,
    `',"n":', toString(n)`,
    ...members,
    `'}'`,
  ];
  return `concat(${parts.join(', ')})`;
}

/** Columns as text: lists as JSON, empty ones omitted. */
export function textColumns(fields: readonly string[]): string {
  return columns(fields, (time) => `toDateTime(${time}, 'UTC')`, textValue);
}

/** Columns with types that other programs know, as those of observations. */
export function typedColumns(fields: readonly string[]): string {
  return columns(fields, (time) => `toDateTime64(${time}, 3, 'UTC')`, typedValue);
}

function columns(
  fields: readonly string[],
  timeOf: (time: string) => string,
  express: (type: FieldType, value: string) => string,
): string {
  const values = chosenFields(fields).map((field) => `${express(field.type, field.alias)} AS ${field.name}`);
  return [
    'station',
    `${timeOf('nominal')} AS hour`,
    `${timeOf(OBSERVED_AT)} AS observedAt`,
    'n',
    ...values,
  ].join(',\n    ');
}
