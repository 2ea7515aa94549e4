import { FIELDS_FOR_CONDITIONS, type ScalarField } from '../../../clickhouse/conditions/fields.ts';
import { COMMON_FIELDS } from './random-decoded.ts';

const FIELDS = [...FIELDS_FOR_CONDITIONS.values()];
/** Fields that many reports give, so that conditions meet some reports and not others. */
const COMMON = [...COMMON_FIELDS, 'cavok', 'auto'];
const DERIVED = ['ceiling_ft', 'rh_pct', 'rvr_min_m', 'type', 'raw'];

/** Texts of conditions, the same for the same random numbers. */
export class RandomConditions {
  readonly #random: () => number;

  constructor(random: () => number) {
    this.#random = random;
  }

  next(depth = 3): string {
    const kind = this.#random();
    if (depth > 0 && kind < 0.2) return `${this.next(depth - 1)} AND ${this.next(depth - 1)}`;
    if (depth > 0 && kind < 0.4) return `(${this.next(depth - 1)} OR ${this.next(depth - 1)})`;
    if (depth > 0 && kind < 0.5) return `NOT (${this.next(depth - 1)})`;
    return this.#predicate(this.#field());
  }

  #field(): ScalarField {
    const name = this.#random() < 0.8 ? this.#pick([...COMMON, ...DERIVED]) : undefined;
    return FIELDS.find((field) => field.name === name) ?? this.#pick(FIELDS);
  }

  #predicate({ name, values }: ScalarField): string {
    const not = this.#random() < 0.3 ? 'NOT ' : '';
    if (this.#random() < 0.1 && name !== 'type' && name !== 'raw') return `${name} IS ${not}NULL`;
    const value = () => this.#value(name, values);
    switch (values.kind) {
      case 'flag':
        return `${name} = TRUE`;
      case 'boolean':
        return `${name} ${this.#pick(['=', '<>'])} ${this.#pick(['TRUE', 'FALSE'])}`;
      case 'pattern':
        return `${name} ${not}LIKE '%${this.#pick(['RA', 'FG', 'RMK', '_Z', '\\\\%', 'Z 1', 'é_'])}%'`;
      case 'choice':
        if (this.#random() < 0.3) return `${name} ${not}LIKE '%${this.#pick(['I', 'V_R', 'T'])}%'`;
        if (this.#random() < 0.5) return `${name} ${not}IN (${value()}, ${value()})`;
        return `${name} ${this.#pick(['=', '<>'])} ${value()}`;
      default:
        if (values.kind === 'text' && this.#random() < 0.3) return `${name} ${not}LIKE ${value()}`;
        if (this.#random() < 0.2) return `${name} ${not}IN (${value()}, ${value()}, ${value()})`;
        if (this.#random() < 0.2) return `${name} ${not}BETWEEN ${value()} AND ${value()}`;
        return `${name} ${this.#pick(['=', '<>', '<', '<=', '>', '>='])} ${value()}`;
    }
  }

  #value(name: string, values: ScalarField['values']): string {
    if (values.kind === 'choice') return `'${this.#pick(values.choices)}'`;
    if (values.kind === 'text')
      return `'${this.#pick(['RA', '-RA BR', 'FG', '%', '%RA_', "it''s", 'BR', '1200', 'é'])}'`;
    if (name.endsWith('_ft') || name.endsWith('_m')) return String(100 * Math.floor(this.#random() * 60));
    if (name === 'altim_inhg') return this.#pick(['29.92', '30.01', '29.9', '30']);
    if (name === 'visib_sm') return this.#pick(['0.25', '0.1', '3', '1.5']);
    return this.#pick(['0', '-0.5', '12', '7.5', '100', '20', '-3', '55.5', '1e1']);
  }

  #pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}
