import type { Condition } from './condition.ts';
import { formatPattern } from './pattern.ts';

/**
 * The condition as CQL2 Text, the same for conditions that differ in white space, case of keywords, forms of numbers and
 * quotes, parentheses without effect, the order of operands of AND and OR, and of the values of IN, or in repeated ones.
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
      return `${condition.field} LIKE ${literal(formatPattern(condition.pattern))}`;
    case 'null':
      return `${condition.field} IS NULL`;
    case 'not':
      return `NOT (${canonicalCondition(condition.condition)})`;
    case 'and':
    case 'or': {
      const parts = [...new Set(condition.conditions.map(canonicalCondition))].sort();
      const [first] = parts;
      return parts.length === 1
        ? (first as string)
        : `(${parts.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
    }
  }
}

function literal(value: number | string | boolean): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  // `-0` is 0.
  return typeof value === 'number' ? String(value + 0) : `'${value.replaceAll("'", "''")}'`;
}
