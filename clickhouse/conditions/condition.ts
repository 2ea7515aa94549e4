import type { FieldColumn } from '../model/field-columns.ts';
import type { SqlParameters } from '../statements/sql.ts';
import { type ConditionFields, FIELDS_FOR_CONDITIONS, fieldOf, type ScalarField } from './fields.ts';

/**
 * A condition on a report (D42): the part of CQL2 Text (OGC 21-065r2) that fits reports, as a value. Logic is three-valued: a
 * comparison with a field that the report does not give is unknown, NULL in SQL. A statement judges the highest version of
 * each report, which FINAL leaves, and keeps the rows where the condition is true; a share divides these by those where it is
 * not NULL. Its SQL names columns of the table, so a statement must have no alias like `temp AS temp_c`: that would be compared.
 */
export type Condition =
  | Comparison
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

/** One text for equal LIKE patterns: `%` is any characters, `_` is one, `\` escapes the next. `undefined` if `\` is the last. */
export function canonicalPattern(text: string): string | undefined {
  if (/(?<!\\)(\\\\)*\\$/.test(text)) return undefined;
  return text.replace(/\\(.)|%+/gsu, (written, escaped?: string) => {
    if (escaped === undefined) return '%';
    return '%_\\'.includes(escaped) ? written : escaped;
  });
}

/** SQL over one row: 1 if the condition is true, 0 if false, NULL if unknown. Values are parameters, so no client text is in it. */
export function conditionSql(
  condition: Condition,
  parameters: SqlParameters,
  fields: ConditionFields = FIELDS_FOR_CONDITIONS,
): string {
  switch (condition.kind) {
    case 'compare':
      return comparisonSql(fieldOf(condition.field, fields), condition, parameters);
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

/** `M1/4SM` is below the value that it prints, `P6SM` above (D79): `= 0.1` is unknown, `= 0.3` false. Indexes use that value. */
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

function likeSql({ values, comparableSql: sql }: ScalarField, pattern: string, parameters: SqlParameters) {
  const text = values.kind === 'choice' ? `CAST(${sql}, 'Nullable(String)')` : sql;
  return `${text} LIKE ${parameters.add('String', pattern)}`;
}

/** The same text for conditions that differ only in spelling, or in the order of operands. */
export function canonicalCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'compare':
      return `${condition.field} ${condition.operator} ${literal(condition.value)}`;
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
