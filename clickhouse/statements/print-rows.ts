import type { StatementSettings } from '../archive.ts';
import { type Conversion, inAllUnits } from '../model/units.ts';
import { OUTPUT_FORMATS, type RowFormat } from '../observations/stream/output-formats.ts';
import type { LocalTexts } from '../zones/local-texts.ts';

export type RowColumn = {
  /** Letters, digits and underscores. */
  readonly name: string;
  /** SQL over a row of the statement, in which no column may have the name of a column of the answer. */
  readonly sql: string;
  readonly type: ColumnType;
  readonly unit?: string | undefined;
  readonly meaning?: string;
  /** The name of the column that this one has in another unit. */
  readonly stored?: string;
  readonly conversion?: Conversion;
};

/** The columns of fields, and each in other units (D83). */
export function columnsInUnits(columns: readonly RowColumn[]): ReadonlyMap<string, RowColumn> {
  return inAllUnits(columns, (column, conversion) => ({
    ...column,
    name: conversion.name,
    unit: conversion.unit,
    type: 'Nullable(Float64)',
    sql: conversion.printed(column.sql),
    stored: column.name,
    conversion,
  }));
}

/** With a sign, so that readers can subtract them (D65). */
export type ColumnType =
  | 'String'
  | 'Date32'
  | 'Int32'
  | 'Int64'
  | 'Nullable(Int32)'
  | 'Nullable(Int64)'
  | 'Nullable(Float64)'
  | 'Nullable(String)'
  | 'Nullable(Date32)'
  | "Nullable(DateTime64(6, 'UTC'))";

/** How a statement prints its rows: what follows SELECT and FORMAT, and what these need. */
export type Printed = {
  readonly columns: string;
  /** The clause FORMAT, and that of rows which follow others. */
  readonly format: string;
  readonly following: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly settings: StatementSettings;
};

/** Digits of numbers in text: later digits of a mean depend on the order in which its values are added. */
const DECIMAL_PLACES = { output_format_float_precision: '10' } as const;

/** The first of `given` is the station. Names can be text of clients: they are parameters. Times are in UTC without `local`. */
export function printRows(given: readonly RowColumn[], format: RowFormat, local?: LocalTexts): Printed {
  const times = given.some(isTime) ? local : undefined;
  const columns = given.map((column, n): RowColumn => {
    if (times === undefined || !isTime(column)) return column;
    return { ...column, sql: times.text(column.sql, given[0]?.sql ?? '', `${n}`), type: 'Nullable(String)' };
  });
  const { name, following, settings } = OUTPUT_FORMATS[format === 'json' ? 'ndjson' : format];
  if (format === 'json' || format === 'ndjson') {
    const row = columns.map(({ name, type }) => `\`${name}\` ${typeOfText(type)}`).join(', ');
    return {
      // A tuple prints no member that is NULL.
      columns: `toJSONString(CAST(tuple(${columns.map(({ sql }) => sql).join(', ')}), {row:String}))`,
      format: name,
      following,
      params: { row: `Tuple(${row})`, ...times?.params },
      settings: {
        ...settings,
        ...DECIMAL_PLACES,
        output_format_json_quote_64bit_integers: 0,
        // A tuple with names is cast by them, else in its order.
        enable_named_columns_in_function_tuple: 0,
      },
    };
  }
  const typed = format === 'csv' ? typeOfText : (type: ColumnType) => type;
  return {
    columns: columns
      .map(({ sql, type }, n) => `CAST(${sql}, '${quoted(typed(type))}') AS {name${n}:Identifier}`)
      .join(',\n    '),
    format: name,
    following,
    params: { ...Object.fromEntries(columns.map(({ name }, n) => [`name${n}`, name])), ...times?.params },
    settings: { ...settings, ...DECIMAL_PLACES },
  };
}

const isTime = ({ type }: RowColumn) => type.includes('DateTime');

/** The type of a column when it is printed as text: times have no fractions of a second. */
function typeOfText(type: ColumnType): string {
  return type.replace('DateTime64(6,', 'DateTime(').replace('( ', '(');
}

function quoted(type: string): string {
  return type.replaceAll("'", "\\'");
}
