import { type Condition, conditionSql } from '../conditions/condition.ts';
import { fieldOf } from '../conditions/condition-fields.ts';
import type { SqlParameters } from '../statements/sql.ts';

/**
 * The columns that a question needs of each report, each computed once, over one row of `observations`. They are computed
 * before the highest version is chosen: a statement then reads those elements of the tuple `decoded` alone that it needs.
 */
export class RowColumns {
  readonly parameters: SqlParameters;
  readonly #names = new Map<string, string>();
  readonly #conditions = new Map<Condition, string>();

  constructor(parameters: SqlParameters) {
    this.parameters = parameters;
  }

  /** The column with this value. */
  add(sql: string): string {
    const name = this.#names.get(sql) ?? `column${this.#names.size}`;
    this.#names.set(sql, name);
    return name;
  }

  /** 1 where the condition holds, 0 where it does not, NULL where it cannot be judged. */
  addCondition(condition: Condition): string {
    const name =
      this.#conditions.get(condition) ?? this.add(`toNullable(${conditionSql(condition, this.parameters)})`);
    this.#conditions.set(condition, name);
    return name;
  }

  get names(): readonly string[] {
    return [...this.#names.values()];
  }

  /** As elements of a SELECT. */
  get definitions(): readonly string[] {
    return [...this.#names].map(([sql, name]) => `${sql} AS ${name}`);
  }
}

/** The value of the record; NULL where the report does not give it. */
export function valueSql(field: string): string {
  return fieldOf(field).sql;
}

/** The number that a condition compares (D43). */
export function comparableSql(field: string): string {
  return toDouble(field, fieldOf(field).sqlInConditions);
}

/** The number that the record prints. */
export function numberSql(field: string): string {
  return toDouble(field, fieldOf(field).sql);
}

/**
 * A Float32 as a double has digits that no report gives (1013.2000122). Pressures in hPa have at most two decimal places,
 * and no field has more than the four of a sixteenth of a mile.
 */
function toDouble(field: string, sql: string): string {
  const { values } = fieldOf(field);
  if (values.kind !== 'number') throw new Error(`${field} is not a number`);
  if (values.sqlType !== 'Float32') return `toFloat64(${sql})`;
  return `round(toFloat64(${sql}), ${field.endsWith('_hpa') ? 2 : 4})`;
}
