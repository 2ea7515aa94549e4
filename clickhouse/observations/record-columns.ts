import type { Select } from '../archive.ts';
import {
  ALL_DECODED,
  doubleOf,
  type FieldColumn,
  printedNumber,
  printedText,
} from '../model/field-columns.ts';
import { DECODED_FIELDS, type Field, type FieldType, isList } from '../model/fields.ts';
import { NAMED_COLUMNS } from '../model/named-fields.ts';
import { fillSql, readStatement } from '../statements/sql.ts';
import { type HiddenReport, idOf } from './hidden-reports.ts';
import { bindSelection, orderOf, type RowSelection, type Selection, selectedReports } from './selection.ts';

export type Representations = Pick<Selection, 'raw' | 'decoded' | 'fields'> & {
  /** The hidden reports of the whole range. If there are any, their records say so, and files have a column `hidden`. */
  readonly hidden?: readonly HiddenReport[];
};

/** The parameters that `hiddenSql` needs: ids, and for each the member of JSON or the value of the column. */
function hiddenParams(hidden: readonly HiddenReport[] = [], isJson = false) {
  if (hidden.length === 0) return {};
  const values = hidden.map(({ reason }) => (isJson ? `,"hidden":${JSON.stringify(reason)}` : reason));
  return { hiddenIds: hidden.map(idOf), hiddenValues: values };
}

/** SQL over a row: the value of `hidden`, or an empty text. An empty list if no report of the range is hidden. */
function hiddenSql({ hidden = [] }: Representations): readonly string[] {
  return hidden.length === 0
    ? []
    : [`transform(concat(${ID}), {hiddenIds:Array(String)}, {hiddenValues:Array(String)}, '')`];
}

/** Fields with aliases for statements: names such as `trend` and `sea` could mean something else there. */
export function chosenFields(names: readonly string[]) {
  return names.map((name) => ({ ...(NAMED_COLUMNS.get(name) as FieldColumn), alias: `field_${name}` }));
}

/** The values by their aliases, for a list of columns or a clause WITH. */
function chosenColumns(names: readonly string[]): readonly string[] {
  return chosenFields(names).map(({ sql, alias }) => `${sql} AS ${alias}`);
}

/**
 * Members of a JSON object, each after a comma, of the chosen fields that have a value.
 *
 * @param printed the value that JSON prints
 */
export function jsonMembers(names: readonly string[], printed: typeof printedText): readonly string[] {
  return chosenFields(names).map(({ name, type, alias }) => {
    const isAbsent = isList(type) ? `empty(${alias})` : `isNull(${alias})`;
    return `if(${isAbsent}, '', concat(',"${name}":', toJSONString(${printed(type, alias)})))`;
  });
}

// Expressions over one row of `observations` with the alias `report`.

/** KJFK-200501010000-01234567, as arguments of `concat`. */
const ID =
  "report.station, '-', formatDateTime(report.observedAt, '%Y%m%d%H%i'), '-', leftPad(lower(hex(report.fingerprint)), 8, '0')";

/** The text as JSON, as arguments of `concat`. No report has a control character. (`toJSONString` takes ten times as long.) */
const RAW_JSON = `'"', replaceAll(replaceAll(report.raw, '\\\\', '\\\\\\\\'), '"', '\\\\"'), '"'`;

/** SQL: `parseStatus` of a record with decoded fields. */
const PARSE_STATUS = "multiIf(report.clean, 'parsed', report.decoder > 0, 'failed', 'raw_only')";

/**
 * The elements of the tuple have the names of its columns: see `PRINTING` in `clickhouse/client.ts`. A comma follows each list,
 * because `cavok` is always present and comes after them. Stored temperatures are printed as `printedNumber` says.
 */
const DECODED_JSON = DECODED_FIELDS.reduce(
  (json, { name, type }) => {
    if (isList(type)) return `replaceOne(${json}, '"${name}":[],', '')`;
    return type === 'Temperature' ? `replaceOne(${json}, '"${name}":"-0.05"', '"${name}":"-0"')` : json;
  },
  `toJSONString(tuple(${DECODED_FIELDS.map(({ name }) => `report.${name}`).join(', ')}))`,
);

/**
 * The record of the contract as JSON text, in pages and in NDJSON: without `decoded` where the report was not parsed
 * and without the lists that are empty. The text of a report cannot contain a name between quotes: inside a JSON string
 * every quote has a backslash before it, and only `decoded` is changed.
 *
 * With chosen fields, their aliases are names of the statement. Without decoded fields, one expression takes the server less
 * time than `JSONEachRow` over columns.
 */
function recordLine(representations: Representations): string {
  const { raw, decoded, fields } = representations;
  const json = fields === undefined ? DECODED_JSON : chosenJson(fields);
  const parts = [
    `'{"id":"', ${ID}`,
    `'","station":"', report.station`,
    `'","observedAt":"', formatDateTime(report.observedAt, '%Y-%m-%dT%H:%i:%SZ')`,
    `'","type":"', CAST(report.type, 'String')`,
    `'","parseStatus":"', ${decoded ? PARSE_STATUS : "'raw_only'"}, '"'`,
    ...hiddenSql(representations),
    ...(raw ? [`',"raw":', ${RAW_JSON}`] : []),
    ...(decoded ? [`if(report.clean, concat(',"decoded":', ${json}), '')`] : []),
    `'}'`,
  ];
  return `concat(${parts.join(', ')})`;
}

/** The object `decoded` with only these fields, in this order. */
function chosenJson(names: readonly string[]): string {
  return `concat('{', substring(concat(${jsonMembers(names, printedText).join(', ')}, ''), 2), '}')`;
}

/** How the columns of a format print times, counts and values. */
export type Printing = {
  readonly time: (sql: string) => string;
  readonly count: (sql: string) => string;
  readonly value: (field: Pick<FieldColumn, 'type' | 'unit'>, sql: string) => string;
};

/** Lists as JSON, empty ones omitted. */
export const AS_TEXT: Printing = {
  time: (sql) => sql,
  count: (sql) => sql,
  value: ({ type }, sql) =>
    isList(type) ? `if(notEmpty(${sql}), toJSONString(${sql}), NULL)` : printedNumber(type, sql),
};

/**
 * With types that other programs know and can calculate with (D65): DateTime and Enum8 are ClickHouse's own, pandas takes a
 * Decimal for an object, DuckDB subtracts unsigned numbers without a sign, and 0.01 as a Float32 is less than 0.01. Python's
 * own times have microseconds, and polars joins no times of two precisions.
 */
export const TYPED: Printing = {
  time: (sql) => `toDateTime64(${sql}, 6, 'UTC')`,
  count: (sql) => `toInt64(${sql})`,
  value: (field, sql) => {
    const { type } = field;
    if (isList(type)) return `CAST(${sql}, '${listType(type.items)}')`;
    if (plainType(type) === 'Int32') return `toInt32(${sql})`;
    if (plainType(type) === 'Float64') return doubleOf(field, sql);
    return typeof type === 'object' ? `CAST(${sql}, 'Nullable(String)')` : sql;
  },
};

export function recordColumns(representations: Representations, { time, value }: Printing) {
  const { raw, decoded, fields } = representations;
  const values =
    fields === undefined
      ? DECODED_FIELDS.map((field) => ({ ...field, alias: `report.${field.name}` }))
      : chosenFields(fields);
  return [
    `concat(${ID}) AS id`,
    "CAST(report.station, 'String') AS station",
    `${time('report.observedAt')} AS observedAt`,
    "CAST(report.type, 'String') AS type",
    `${decoded ? PARSE_STATUS : "'raw_only'"} AS parseStatus`,
    ...(raw ? ['report.raw AS raw'] : []),
    ...(decoded ? values.map((field) => `${value(field, field.alias)} AS ${field.name}`) : []),
    ...hiddenSql(representations).map((sql) => `nullIf(${sql}, '') AS hidden`),
  ];
}

/** The type of a list, with the values of each Enum8 as text. */
function listType(items: readonly Field[]): string {
  const types = items.map(({ name, type, required }) =>
    required ? `${name} ${plainType(type)}` : `${name} Nullable(${plainType(type)})`,
  );
  return `Array(Tuple(${types.join(', ')}))`;
}

/** The type of a value that other programs get. */
function plainType(type: FieldType): 'String' | 'Bool' | 'Int32' | 'Float64' {
  if (typeof type === 'object' || type === 'String') return 'String';
  if (type === 'Bool' || type === 'true') return 'Bool';
  return type.startsWith('UInt') ? 'Int32' : 'Float64';
}

const SELECT_RECORDS = readStatement('observations/records');
const SELECT_COLUMNS = readStatement('observations/columns');

type PrintedSelection = RowSelection & Representations;

/**
 * Selects the current reports of a selection in the order of D12, each as a line of JSON. The statement has only the clauses
 * that a request needs: `raw` and `decoded` are wide columns, and even an always-true condition would cost a fifth of a page.
 *
 * @param format the name of the clause FORMAT, of one that prints the text as it is
 * @param rows maximum number of records
 */
export function selectRecordLines(selection: PrintedSelection, format: string, rows?: number): Select {
  const { decoded, fields } = selection;
  const limit = rows === undefined ? '' : 'LIMIT {rows:UInt32}';
  const query = fillSql(SELECT_RECORDS, {
    chosen: decoded && fields?.length ? `WITH ${chosenColumns(fields).join(', ')}` : '',
    record: recordLine(selection),
    reports: selectedReports(selection, limit),
    order: orderOf(selection),
    limit,
    format,
  });
  const params = { ...hiddenParams(selection.hidden, true), ...(rows !== undefined && { rows }) };
  return { query, ...bindSelection(selection, params) };
}

/** The same with a column for each value, as the engine prints them in a format, the name of its clause FORMAT. */
export function selectRecordColumns(selection: PrintedSelection, printing: Printing, format: string): Select {
  const { raw, decoded, fields } = selection;
  const ofDecoded = decoded ? ['clean', 'decoder', ...(fields ? chosenColumns(fields) : ALL_DECODED)] : [];
  const query = fillSql(SELECT_COLUMNS, {
    columns: recordColumns(selection, printing).join(',\n    '),
    read: [...(raw ? ['raw'] : []), ...ofDecoded].map((column) => `, ${column}`).join('\n        '),
    reports: selectedReports(selection),
    order: orderOf(selection),
    format,
  });
  return { query, ...bindSelection(selection, hiddenParams(selection.hidden)) };
}
