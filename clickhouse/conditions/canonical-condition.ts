import type { Condition } from './condition.ts';
import { formatPattern } from './pattern.ts';

/**
 * The condition as CQL2 Text, identical for conditions that differ only in white space, keyword case, number or quote
 * style, redundant parentheses, or the order or repetition of operands of AND and OR and of values of IN.
 */
export function canonicalCondition(condition: Condition): string {
  return print(simplify(condition));
}

/** Repeated operands are dropped first: a single remaining one becomes an operand of the enclosing condition. */
function simplify(condition: Condition): Condition {
  switch (condition.kind) {
    case 'not': {
      const inner = simplify(condition.condition);
      return inner.kind === 'not' ? inner.condition : { kind: 'not', condition: inner };
    }
    case 'and':
    case 'or': {
      const { kind } = condition;
      const operands = condition.conditions
        .map(simplify)
        .flatMap((operand) => (operand.kind === kind ? operand.conditions : [operand]));
      const distinct = [...new Map(operands.map((operand) => [print(operand), operand])).values()];
      const [first] = distinct;
      return first !== undefined && distinct.length === 1 ? first : { kind, conditions: distinct };
    }
    default:
      return condition;
  }
}

function print(condition: Condition): string {
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
      return `NOT (${print(condition.condition)})`;
    case 'and':
    case 'or': {
      const operands = condition.conditions.map(print).sort();
      return `(${operands.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
    }
  }
}

function literal(value: number | string | boolean): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  // `-0` is 0.
  return typeof value === 'number' ? String(value + 0) : `'${value.replaceAll("'", "''")}'`;
}
