/**
 * A condition on a report (D42): the part of CQL2 Text (OGC 21-065r2) that fits reports, as a value.
 *
 *     text -> parseCondition -> Condition -> conditionSql        for a statement
 *                                         -> canonicalCondition  for keys of cursors and caches
 *
 * Logic is three-valued: a comparison with a field that the report does not give is unknown. A statement evaluates the
 * highest version of each report: it computes the condition as a column of the subquery that chooses this version, and
 * keeps the rows where it is true (unknown is NULL).
 *
 *     const parameters = new SqlParameters('filter');
 *     const meets = conditionSql(parseCondition("visib_m < 800 OR ceiling_ft < 200"), parameters);
 *     // SELECT … FROM (SELECT …, <meets> AS meets FROM observations … LIMIT 1 BY …) WHERE NOT retracted AND meets
 *     // with the parameters `parameters.values`
 *
 * A share divides the rows where it is true by those where it is not NULL: `countIf(meets) / count(meets)`.
 */
export type Condition =
  | Comparison
  | { readonly kind: 'in'; readonly field: string; readonly values: readonly (number | string)[] }
  | { readonly kind: 'like'; readonly field: string; readonly pattern: readonly PatternPart[] }
  | { readonly kind: 'null'; readonly field: string }
  | { readonly kind: 'and' | 'or'; readonly conditions: readonly Condition[] }
  | { readonly kind: 'not'; readonly condition: Condition };

export type Comparison = {
  readonly kind: 'compare';
  readonly field: string;
  readonly operator: Operator;
  readonly value: number | string | boolean;
};

export const OPERATORS = ['=', '<>', '<', '<=', '>', '>='] as const;
export type Operator = (typeof OPERATORS)[number];

/** A part of a pattern: literal text, any one character, or any number of characters. */
export type PatternPart = { readonly text: string } | 'one' | 'any';
