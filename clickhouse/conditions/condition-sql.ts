import type { SqlParameters } from '../statements/sql-parameters.ts';
import type { Comparison, Condition } from './condition.ts';
import { fieldOf, type ScalarField } from './condition-fields.ts';
import { formatPattern } from './pattern.ts';

/**
 * An expression over one row of `observations`: 1 if the condition is true, 0 if false, NULL if unknown. It contains
 * only column names, operators and placeholders: each value in the text is a parameter.
 *
 * @param parameters receives the values
 */
export function conditionSql(condition: Condition, parameters: SqlParameters): string {
  switch (condition.kind) {
    case 'compare':
      return comparisonSql(condition, parameters);
    case 'in':
      return inSql(fieldOf(condition.field), condition.values, parameters);
    case 'like':
      return likeSql(fieldOf(condition.field), formatPattern(condition.pattern), parameters);
    case 'null':
      return `isNull(${fieldOf(condition.field).sqlInConditions})`;
    case 'not':
      return `NOT (${conditionSql(condition.condition, parameters)})`;
    case 'and':
    case 'or': {
      const parts = condition.conditions.map((each) => `(${conditionSql(each, parameters)})`);
      return parts.join(condition.kind === 'and' ? ' AND ' : ' OR ');
    }
  }
}

function comparisonSql({ field, operator, value }: Comparison, parameters: SqlParameters): string {
  const { values, sqlInConditions: sql } = fieldOf(field);
  if (typeof value === 'boolean') return `${sql} ${operator} ${value}`;
  return `${sql} ${operator} ${parameters.add(values.kind === 'number' ? values.sqlType : 'String', value)}`;
}

/** ClickHouse's IN yields 0, not NULL, for a NULL value. */
function inSql(
  { values, sqlInConditions: sql }: ScalarField,
  list: readonly unknown[],
  parameters: SqlParameters,
): string {
  const distinct = [...new Set(list)];
  if (values.kind === 'choice')
    return distinct.map((value) => `${sql} = ${parameters.add('String', value)}`).join(' OR ');
  const type = values.kind === 'number' ? values.sqlType : 'String';
  return `if(isNull(${sql}), NULL, has(${parameters.add(`Array(${type})`, distinct)}, assumeNotNull(${sql})))`;
}

function likeSql(
  { values, sqlInConditions: sql }: ScalarField,
  pattern: string,
  parameters: SqlParameters,
): string {
  const text = values.kind === 'choice' ? `CAST(${sql}, 'Nullable(String)')` : sql;
  return `${text} LIKE ${parameters.add('String', pattern)}`;
}
