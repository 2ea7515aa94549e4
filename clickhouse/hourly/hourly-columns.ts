import { type ChosenField, chosenFields } from '../observations/chosen-fields.ts';
import { isList } from '../observations/record-line.ts';
import { typedValue } from '../observations/stream/stream-columns.ts';

// The first METAR of an hour is a tuple: its time, the fields in the order asked, and with a condition whether it is met.

/** What is read of each report beside its key. */
export function reportColumns(fields: readonly string[]): readonly string[] {
  const values = chosenFields(fields).map((field) => {
    const absent = isList(field) ? '[]' : 'NULL';
    return `if(clean, ${field.sql}, ${absent}) AS ${field.alias}`;
  });
  return ['clean', 'decoded.nil AS nil', ...values];
}

/** The elements of the tuple. */
export function tupleElements(fields: readonly string[], hasCondition: boolean): readonly string[] {
  const values = chosenFields(fields).map(({ alias }) => alias);
  return ['toNullable(observedAt)', ...values, ...(hasCondition ? ['meets'] : [])];
}

const elementAt = (number: number) => `tupleElement(earliest, ${number})`;
const OBSERVED_AT = elementAt(1);

/** Whether the first METAR meets the condition; an hour without one does not. */
export function meetsElement(fields: readonly string[]): string {
  return elementAt(fields.length + 2);
}

function valuesOf(fields: readonly string[]) {
  return chosenFields(fields).map((field, n) => ({ field, value: elementAt(n + 2) }));
}

/** A row as one line of JSON; what is not known is absent. */
export function jsonLine(fields: readonly string[]): string {
  const text = (time: string) => `formatDateTime(${time}, '%Y-%m-%dT%H:%i:%SZ', 'UTC')`;
  const members = valuesOf(fields).map(({ field, value }) => {
    const isAbsent = isList(field) ? `empty(${value})` : `isNull(${value})`;
    return `if(${isAbsent}, '', concat(',"${field.name}":', toJSONString(${value})))`;
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

/** Columns as text: lists as JSON, and no list where it is empty. */
export function textColumns(fields: readonly string[]): string {
  return columns(
    fields,
    (time) => `toDateTime(${time}, 'UTC')`,
    (field, value) => (isList(field) ? `if(notEmpty(${value}), toJSONString(${value}), NULL)` : value),
  );
}

/** Columns with types that other programs know, as those of observations. */
export function typedColumns(fields: readonly string[]): string {
  return columns(fields, (time) => `toDateTime64(${time}, 3, 'UTC')`, typedValue);
}

function columns(
  fields: readonly string[],
  timeOf: (time: string) => string,
  express: (field: ChosenField, value: string) => string,
): string {
  const values = valuesOf(fields).map(({ field, value }) => `${express(field, value)} AS ${field.name}`);
  return [
    'station',
    `${timeOf('nominal')} AS hour`,
    `${timeOf(OBSERVED_AT)} AS observedAt`,
    'n',
    ...values,
  ].join(',\n    ');
}
