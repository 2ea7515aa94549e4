import type { ScalarField } from './condition-fields.ts';
import type { Token } from './tokens.ts';

/** The value of a token in a comparison with a field; `undefined` if such a field can never have it. */
export function readValue(
  { kind, value }: Token,
  values: ScalarField['values'],
): number | string | boolean | undefined {
  switch (values.kind) {
    case 'number':
      return kind === 'number' && Number.isFinite(Number(value)) ? Number(value) : undefined;
    case 'choice':
      return kind === 'text' && values.choices.includes(value) ? value : undefined;
    case 'boolean':
    case 'flag':
      return kind === 'keyword' && (value === 'TRUE' || value === 'FALSE') ? value === 'TRUE' : undefined;
    default:
      return kind === 'text' ? value : undefined;
  }
}

/** What `readValue` expects, for the error message. */
export function describeValues(values: ScalarField['values']): string {
  switch (values.kind) {
    case 'number':
      return 'a number';
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
