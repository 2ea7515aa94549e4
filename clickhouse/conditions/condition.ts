import type { FieldColumn } from '../model/field-columns.ts';
import { type FieldType, isList } from '../model/fields.ts';
import { NAMED_COLUMNS } from '../model/named-fields.ts';
import { REPORT_TYPES } from '../model/report.ts';
import { type Conversion, inAllUnits, NamedFields } from '../model/units.ts';
import type { SqlParameters } from '../statements/sql.ts';
import type { Token } from './tokens.ts';

/**
 * A condition on a report (D42): the part of CQL2 Text (OGC 21-065r2) that fits reports, as a value.
 *
 *     text -> parseCondition -> Condition -> conditionSql        for a statement
 *                                         -> canonicalCondition  for keys of cursors and caches
 *
 * Logic is three-valued: a comparison with a field that the report does not give is unknown. A statement judges the highest
 * version of each report, which FINAL leaves, and keeps the rows where the condition is true (unknown is NULL). It contains
 * columns by their names alone, and next to `temp AS temp_c` it would compare that: it belongs into a statement without such.
 *
 *     const parameters = new SqlParameters('filter');
 *     const meets = conditionSql(parseCondition("visib_m < 800 OR ceiling_ft < 200"), parameters);
 *     // SELECT … FROM observations FINAL WHERE NOT retracted AND (<meets>)
 *     // with the parameters `parameters.values`
 *
 * A share divides the rows where it is true by those where it is not NULL: `countIf(meets) / count(meets)`.
 */
export type Condition =
  | Comparison
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly (number | string)[] }
  | { readonly kind: 'like'; readonly field: string; readonly pattern: string }
  | { readonly kind: 'null'; readonly field: string }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition };

type Comparison = {
  readonly kind: 'compare';
  readonly field: string;
  readonly operator: Operator;
  readonly value: number | string | boolean;
};

export const OPERATORS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

/**
 * A pattern of LIKE in its only spelling: `%` is any number of characters, `_` is one, `\` escapes the next character.
 * `undefined` if nothing follows the last `\`.
 */
export function canonicalPattern(text: string): string | undefined {
  if (/(?<!\\)(\\\\)*\\$/.test(text)) return undefined;
  return text.replace(/\\(.)|%+/gsu, (written, escaped?: string) => {
    if (escaped === undefined) return '%';
    return '%_\\'.includes(escaped) ? written : escaped;
  });
}

/**
 * An expression over one row of `observations`: 1 if the condition is true, 0 if false, NULL if unknown. It contains
 * only column names, operators and placeholders: each value in the text is a parameter.
 *
 * @param parameters receives the values
 * @param fields those of the rows
 */
export function conditionSql(
  condition: Condition,
  parameters: SqlParameters,
  fields: ConditionFields = FIELDS_FOR_CONDITIONS,
): string {
  switch (condition.kind) {
    case 'compare':
      return comparisonSql(fieldOf(condition.field, fields), condition, parameters);
    case 'in':
      return inSql(fieldOf(condition.field, fields), condition.values, parameters);
    case 'like':
      return likeSql(fieldOf(condition.field, fields), condition.pattern, parameters);
    case 'null':
      return `isNull(${fieldOf(condition.field, fields).comparableSql})`;
    case 'not':
      return `NOT (${conditionSql(condition.condition, parameters, fields)})`;
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((each) => `(${conditionSql(each, parameters, fields)})`);
      return parts.join(condition.kind === 'and' ? ' AND ' : ' OR ');
    }
  }
}

/**
 * A value that a report marks as less than the one it gives is unknown where a number below that is asked for, and less than
 * all others; likewise more (D79). Indexes are asked for the value that it gives, which no such report needs to pass by more. Where
 * the field has another unit than the value, the value is converted.
 */
export function comparisonSql(
  { values, comparableSql: sql, marks, toStored, near }: ScalarField,
  { operator, value }: Pick<Comparison, 'operator' | 'value'>,
  parameters: SqlParameters,
): string {
  if (typeof value === 'boolean') return `${sql} ${operator} ${value}`;
  const stored = typeof value === 'number' && toStored !== undefined ? toStored(value) : value;
  const other = parameters.add(values.kind === 'number' ? values.sqlType : 'String', stored);
  const comparison = `${sql} ${operator} ${other}`;
  if (marks === undefined && near === undefined) return comparison;
  const isDifferent = operator === '<>';
  const ofMore = `${marks?.more}, if(${sql} >= ${other}, ${Number(isDifferent || operator.startsWith('>'))}, NULL)`;
  const ofLess = `${marks?.less}, if(${sql} <= ${other}, ${Number(operator.startsWith('<'))}, NULL), `;
  const truth =
    marks === undefined
      ? comparison
      : `multiIf(${marks.less === undefined ? '' : ofLess}${ofMore}, ${comparison})`;
  if (isDifferent) return truth;
  const asked = operator === '=' ? '=' : `${operator[0]}=`;
  return `${truth} AND indexHint(${near === undefined ? `${sql} ${asked} ${other}` : nearSql(near, operator, Number(value), parameters)})`;
}

function nearSql(
  { sql, toStored }: NonNullable<FieldColumn['near']>,
  operator: Operator,
  value: number,
  parameters: SqlParameters,
): string {
  const bound = (asked: string, by: number) =>
    `${sql} ${asked} ${parameters.add('Float64', toStored(value) + by)}`;
  return [
    ...(operator.startsWith('<') ? [] : [bound('>=', -1)]),
    ...(operator.startsWith('>') ? [] : [bound('<=', 1)]),
  ].join(' AND ');
}

/**
 * ClickHouse's IN yields 0, not NULL, for a NULL value. With comparisons the indexes of columns say which granules cannot meet
 * them; texts have no index.
 */
function inSql(field: ScalarField, list: readonly (number | string)[], parameters: SqlParameters): string {
  const { values, comparableSql: sql } = field;
  const distinct = [...new Set(list)];
  if (values.kind === 'text')
    return `if(isNull(${sql}), NULL, has(${parameters.add('Array(String)', distinct)}, assumeNotNull(${sql})))`;
  return distinct.map((value) => comparisonSql(field, { operator: '=', value }, parameters)).join(' OR ');
}

function likeSql({ values, comparableSql: sql }: ScalarField, pattern: string, parameters: SqlParameters) {
  const text = values.kind === 'choice' ? `CAST(${sql}, 'Nullable(String)')` : sql;
  return `${text} LIKE ${parameters.add('String', pattern)}`;
}

/**
 * The condition as CQL2 Text, identical for conditions that differ only in white space, keyword case, number or quote
 * style, redundant parentheses, or the order or repetition of operands of AND and OR and of values of IN.
 */
export function canonicalCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'compare':
      return `${condition.field} ${condition.operator} ${literal(condition.value)}`;
    case 'in': {
      const values = [...new Set(condition.values.map(literal))].sort();
      return values.length === 1
        ? `${condition.field} = ${values[0]}`
        : `${condition.field} IN (${values.join(', ')})`;
    }
    case 'like':
      return `${condition.field} LIKE ${literal(condition.pattern)}`;
    case 'null':
      return `${condition.field} IS NULL`;
    case 'not':
      return `NOT (${canonicalCondition(condition.condition)})`;
    case 'and':
    case 'or': {
      const operands = condition.conditions.map(canonicalCondition).sort();
      return `(${operands.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
    }
  }
}

function literal(value: number | string | boolean): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  // `-0` is 0.
  return typeof value === 'number' ? String(value + 0) : `'${value.replaceAll("'", "''")}'`;
}

/** The fields that a condition names. */
export function fieldsIn(condition: Condition): readonly string[] {
  switch (condition.kind) {
    case 'not':
      return fieldsIn(condition.condition);
    case 'and':
    case 'or':
      return condition.conditions.flatMap(fieldsIn);
    default:
      return [condition.field];
  }
}

/** A field with one value per report. Conditions compare `comparableSql`: the record's value, except for `ceiling_ft` (D43). */
export type ScalarField = Pick<FieldColumn, 'name' | 'sql' | 'comparableSql' | 'marks' | 'near'> & {
  readonly values: FieldValues;
  /** The number to compare with, where values are in another unit. */
  readonly toStored?: Conversion['toStored'];
};

/** The fields that the conditions on some kind of rows can name. */
export type ConditionFields = ReadonlyMap<string, ScalarField>;

/**
 * The kind of values, and so what they can be compared with. `flag`: TRUE or absent. `choice`: one of a few texts, an
 * Enum in SQL. `pattern`: text that can only be matched with LIKE. A number with `isBit` is 1 or 0.
 */
type FieldValues =
  | { readonly kind: 'number'; readonly sqlType: 'Float32' | 'Float64'; readonly isBit?: true }
  | { readonly kind: 'choice'; readonly choices: readonly string[] }
  | { readonly kind: 'text' | 'pattern' | 'boolean' | 'flag' };

function valuesOf(type: FieldType): FieldValues {
  if (typeof type === 'object') return { kind: 'choice', choices: type as readonly string[] };
  switch (type) {
    case 'String':
      return { kind: 'text' };
    case 'Bool':
      return { kind: 'boolean' };
    case 'true':
      return { kind: 'flag' };
    // A literal must be rounded like the stored value, or 29.92 would not equal it.
    case 'Float32':
      return { kind: 'number', sqlType: 'Float32' };
    default:
      return { kind: 'number', sqlType: 'Float64' };
  }
}

/** A field as conditions compare it: in the unit in which it is stored. */
export function scalarOf({ of, conversion, ...column }: FieldColumn): ScalarField {
  const { comparableSql, type } = of ?? column;
  return {
    ...column,
    comparableSql,
    values: valuesOf(type),
    ...(conversion && { toStored: conversion.toStored }),
  };
}

const scalarNamed = (name: string): ScalarField | undefined => {
  const column = NAMED_COLUMNS.get(name);
  return column === undefined || isList(column.type) ? undefined : scalarOf(column);
};
export const SCALAR_FIELDS: ConditionFields = new NamedFields(
  [...NAMED_COLUMNS.keys()].flatMap((name) => scalarNamed(name) ?? []),
  scalarNamed,
);

/** Of reports. */
export const FIELDS_FOR_CONDITIONS: ConditionFields = new NamedFields<ScalarField>(
  [
    ...SCALAR_FIELDS.values(),
    { name: 'type', values: { kind: 'choice', choices: REPORT_TYPES }, sql: 'type', comparableSql: 'type' },
    { name: 'raw', values: { kind: 'pattern' }, sql: 'raw', comparableSql: 'raw' },
  ],
  scalarNamed,
);

/** Numbers of days or months, each in other units too. */
export function scalarsInUnits(fields: readonly ScalarField[]): ConditionFields {
  return inAllUnits(fields, (field, { name, printed, toStored }) => ({
    ...field,
    name,
    sql: printed(field.sql),
    toStored,
  }));
}

/** @throws if no condition can name it; `parseCondition` rejects such names */
export function fieldOf(name: string, fields: ConditionFields = FIELDS_FOR_CONDITIONS): ScalarField {
  const field = fields.get(name);
  if (field === undefined) throw new Error(`Conditions have no field ${name}`);
  return field;
}

/** The value of a token in a comparison with a field; `undefined` if such a field can never have it. */
export function readValue(
  { kind, value }: Token,
  values: ScalarField['values'],
): number | string | boolean | undefined {
  switch (values.kind) {
    case 'number':
      return kind === 'number' && isPossible(Number(value), values) ? Number(value) : undefined;
    case 'choice':
      return kind === 'text' && values.choices.includes(value) ? value : undefined;
    case 'boolean':
    case 'flag':
      return kind === 'keyword' && (value === 'TRUE' || value === 'FALSE') ? value === 'TRUE' : undefined;
    default:
      return kind === 'text' ? value : undefined;
  }
}

function isPossible(value: number, { isBit }: { readonly isBit?: true }): boolean {
  return isBit ? value === 0 || value === 1 : Number.isFinite(value);
}

/** What `readValue` expects, for the error message. */
export function describeValues(values: ScalarField['values']): string {
  switch (values.kind) {
    case 'number':
      return values.isBit ? '1 or 0' : 'a number';
    case 'choice':
      return `one of ${values.choices.map((choice) => `'${choice}'`).join(', ')}`;
    case 'boolean':
      return 'TRUE or FALSE';
    case 'flag':
      return 'TRUE';
    default:
      return "text in single quotes, as in 'RA',";
  }
}
