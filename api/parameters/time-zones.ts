import { insteadOf } from '../../clickhouse/validation.ts';
import { ParameterError } from './parameter.ts';

/** Whose days and hours count (D45). `station`: each station's own, with the standard offset all year or not. */
export type TimeZone =
  | { readonly kind: 'station'; readonly isStandard: boolean }
  | { readonly kind: 'zone'; readonly zone: string };

const WORDS: ReadonlyMap<string, TimeZone> = new Map([
  ['utc', { kind: 'zone', zone: 'UTC' }],
  ['local', { kind: 'station', isStandard: false }],
  ['standard', { kind: 'station', isStandard: true }],
]);

/** `utc`, `local`, `standard`, or an IANA name. */
export function parseTimeZone(text: string): TimeZone {
  const known = WORDS.get(text);
  if (known !== undefined) return known;
  // Intl also accepts offsets and lowercase names.
  const zone = /^[A-Za-z]/.test(text) ? canonicalZone(text) : undefined;
  if (zone !== undefined) return { kind: 'zone', zone };
  const names = [...WORDS.keys(), ...Intl.supportedValuesOf('timeZone')];
  throw new ParameterError(
    `has an unknown zone ${text.slice(0, 64)}: write utc, local, standard, or an IANA name, as in Europe/London; ${insteadOf(text, names, 'see /docs/statistics')}`,
  );
}

/** ICU's name for a zone. */
export function canonicalZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
