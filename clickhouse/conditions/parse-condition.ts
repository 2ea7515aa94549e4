import {
  type Condition,
  canonicalCondition,
  canonicalPattern,
  OPERATORS,
  type Operator,
} from './condition.ts';
import {
  type ConditionFields,
  describeValues,
  FIELDS_FOR_CONDITIONS,
  insteadOfField,
  readValue,
  type ScalarField,
} from './fields.ts';
import { ConditionError, type Token, tokensOf } from './tokens.ts';

const CONDITION_LIMITS = { characters: 1000, comparisons: 20, depth: 20 } as const;

/** @throws {ConditionError} with the position of the mistake and what was expected there */
export function parseCondition(text: string, fields: ConditionFields = FIELDS_FOR_CONDITIONS): Condition {
  const { characters } = CONDITION_LIMITS;
  if ([...text].length > characters)
    throw new ConditionError(characters + 1, `a condition has at most ${characters} characters`);
  const broken = [...text].indexOf('\ufffd');
  if (broken >= 0)
    throw new ConditionError(broken + 1, 'the character is not UTF-8: in a URL write % as %25');
  return new Parser(tokensOf(text), fields).parse();
}

class Parser {
  readonly #tokens: readonly Token[];
  readonly #fields: ConditionFields;
  #at = 0;
  #comparisons = 0;
  #depth = 0;

  constructor(tokens: readonly Token[], fields: ConditionFields) {
    this.#tokens = tokens;
    this.#fields = fields;
  }

  parse(): Condition {
    const condition = this.#list('or');
    if (this.#next.kind !== 'end') throw this.#expected('AND, OR or the end');
    return condition;
  }

  /** `AND` binds more strongly than `OR`. */
  #list(kind: 'or' | 'and'): Condition {
    const conditions: Condition[] = [];
    do conditions.push(kind === 'or' ? this.#list('and') : this.#term());
    while (this.#take('keyword', kind.toUpperCase()));
    return joinedConditions(kind, conditions);
  }

  #term(): Condition {
    const isNegated = this.#take('keyword', 'NOT');
    if (!isNegated && !this.#take('symbol', '(')) return this.#predicate();
    this.#depth += 1;
    if (this.#depth > CONDITION_LIMITS.depth)
      throw this.#mistake(`at most ${CONDITION_LIMITS.depth} nested NOT and parentheses are allowed`);
    const inner = isNegated ? this.#term() : this.#list('or');
    if (!isNegated && !this.#take('symbol', ')')) throw this.#expected('AND, OR or )');
    this.#depth -= 1;
    return isNegated ? negate(inner) : inner;
  }

  #predicate(): Condition {
    this.#comparisons += 1;
    if (this.#comparisons > CONDITION_LIMITS.comparisons)
      throw this.#mistake(`a condition has at most ${CONDITION_LIMITS.comparisons} comparisons`);
    if (this.#next.kind !== 'name') return this.#flippedComparison();
    const field = this.#field();
    if (this.#take('keyword', 'IS')) {
      const isNegated = this.#take('keyword', 'NOT');
      if (!this.#take('keyword', 'NULL')) throw this.#expected(isNegated ? 'NULL' : 'NULL or NOT NULL');
      if (['type', 'raw'].includes(field.name)) throw this.#mistake(`every report has ${field.name}`, -1);
      return negateIf(isNegated, { kind: 'null', field: field.name });
    }
    const isNegated = this.#take('keyword', 'NOT');
    if (this.#take('keyword', 'LIKE')) return negateIf(isNegated, this.#like(field));
    if (field.values.kind === 'pattern')
      throw this.#expected(`LIKE or NOT LIKE: ${field.name} can only be matched, as in raw LIKE '%FZRA%'`);
    if (this.#take('keyword', 'IN')) return negateIf(isNegated, this.#in(field));
    if (this.#take('keyword', 'BETWEEN')) return negateIf(isNegated, this.#between(field));
    if (isNegated) throw this.#expected('BETWEEN, IN or LIKE');
    const operator = this.#operator('a comparison (= <> < <= > >=), BETWEEN, IN, LIKE or IS NULL');
    return this.#comparison(field, operator);
  }

  /** `800 > visib_m` */
  #flippedComparison(): Condition {
    if (!this.#isLiteral) throw this.#expected('the name of a field, NOT or (');
    const literalAt = this.#at;
    this.#at += 1;
    const operator = flipped(this.#operator('a comparison: = <> < <= > >='));
    const field = this.#field();
    const after = this.#at;
    this.#at = literalAt;
    const condition = this.#comparison(field, operator);
    this.#at = after;
    return condition;
  }

  #field(): ScalarField {
    const { kind, value: name } = this.#next;
    if (kind !== 'name') throw this.#expected('the name of a field');
    const field = this.#fields.get(name);
    if (field === undefined) throw this.#mistake(describeUnknown(name, this.#fields));
    this.#at += 1;
    return field;
  }

  #operator(expected: string): Operator {
    const operator = OPERATORS.find((each) => this.#take('symbol', each));
    if (operator === undefined) throw this.#expected(expected);
    return operator;
  }

  #comparison(field: ScalarField, operator: Operator): Condition {
    const isOrder = operator !== '=' && operator !== '<>';
    const { name, values } = field;
    const { kind } = values;
    if (kind === 'pattern') throw this.#mistake(`${name} can only be matched: write raw LIKE '%FZRA%'`, -1);
    if (isOrder && (kind === 'choice' || kind === 'boolean' || kind === 'flag'))
      throw this.#mistake(`${name} has no order: write =, <>${kind === 'choice' ? ' or IN' : ''}`, -1);
    if (kind === 'flag' && (operator === '<>' || this.#next.value === 'FALSE'))
      throw this.#mistake(`${name} is TRUE or absent: write ${name} = TRUE or ${name} IS NULL`, -1);
    return this.#withValue(field, operator);
  }

  #between(field: ScalarField): Condition {
    const { name, values } = field;
    if (values.kind !== 'number' && values.kind !== 'text')
      throw this.#mistake(`${name} has no order: write =, <> or IN`, -1);
    const least = this.#withValue(field, '>=');
    if (!this.#take('keyword', 'AND')) throw this.#expected('AND and the upper bound');
    return { kind: 'and', conditions: [least, this.#withValue(field, '<=')] };
  }

  #in(field: ScalarField): Condition {
    const { name, values } = field;
    if (values.kind === 'boolean' || values.kind === 'flag') throw this.#mistake(`write ${name} = TRUE`, -1);
    if (!this.#take('symbol', '(')) throw this.#expected('( and a list of values');
    const list: Condition[] = [];
    do list.push(this.#withValue(field, '='));
    while (this.#take('symbol', ','));
    if (!this.#take('symbol', ')')) throw this.#expected(', or )');
    return joinedConditions('or', list);
  }

  #like({ name, values: { kind } }: ScalarField): Condition {
    if (kind !== 'text' && kind !== 'choice' && kind !== 'pattern')
      throw this.#mistake(`LIKE is for text, and ${name} is not text`, -1);
    if (this.#next.kind !== 'text') throw this.#expected("a pattern in single quotes, as in '%FZRA%'");
    const pattern = canonicalPattern(this.#next.value);
    if (pattern === undefined)
      throw this.#mistake('\\ at the end of a pattern: write \\\\ for the character');
    this.#at += 1;
    return { kind: 'like', field: name, pattern };
  }

  #withValue({ name, values }: ScalarField, operator: Operator): Condition {
    const value = readValue(this.#next, values);
    if (value === undefined) throw this.#expected(`${describeValues(values)} for ${name}`);
    this.#at += 1;
    return { kind: 'compare', field: name, operator, value };
  }

  get #next(): Token {
    return this.#tokens[this.#at] as Token;
  }

  get #isLiteral(): boolean {
    const { kind, value } = this.#next;
    return kind === 'number' || kind === 'text' || (kind === 'keyword' && /^(TRUE|FALSE)$/.test(value));
  }

  #take(kind: Token['kind'], value: string): boolean {
    const isNext = this.#next.kind === kind && this.#next.value === value;
    if (isNext) this.#at += 1;
    return isNext;
  }

  #expected(what: string): ConditionError {
    const { kind, written } = this.#next;
    const found = kind === 'end' ? 'the end' : written.slice(0, 32);
    return this.#mistake(`expected ${what}; found ${found}`);
  }

  /** @param token of the mistake, counted from the next one */
  #mistake(detail: string, from = 0): ConditionError {
    return new ConditionError((this.#tokens[Math.max(0, this.#at + from)] as Token).position, detail);
  }
}

/** Repeated operands are dropped. */
function joinedConditions(kind: 'or' | 'and', operands: readonly Condition[]): Condition {
  const conditions = operands.flatMap((each) => (each.kind === kind ? each.conditions : each));
  const distinct = [...new Map(conditions.map((each) => [canonicalCondition(each), each])).values()];
  const [first, second] = distinct;
  return second === undefined ? (first as Condition) : { kind, conditions: distinct };
}

function flipped(operator: Operator): Operator {
  if (operator === '<>') return operator;
  return operator.replace(/[<>]/, (sign) => (sign === '<' ? '>' : '<')) as Operator;
}

function negate(condition: Condition): Condition {
  return condition.kind === 'not' ? condition.condition : { kind: 'not', condition };
}

function negateIf(isNegated: boolean, condition: Condition): Condition {
  return isNegated ? negate(condition) : condition;
}

const INSTEAD_OF_FIELDS: ReadonlyMap<string, string> = new Map([
  ['station', 'the parameter stations'],
  ['observedAt', 'the parameters from and to'],
  ...['year', 'season', 'month', 'date', 'hour'].map(
    (unit) => [unit, `the parameters from and to, or by=${unit} of statistics`] as const,
  ),
]);

function describeUnknown(name: string, fields: ConditionFields): string {
  const parameter = INSTEAD_OF_FIELDS.get(name);
  if (parameter !== undefined) return `there is no field ${name}: use ${parameter}`;
  return `there is no field ${name.slice(0, 32)}: ${insteadOfField(name, [...fields.keys()])}`;
}
