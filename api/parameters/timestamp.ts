import type { InvalidValue } from '../../clickhouse/validation.ts';
import { type GivenParameters, ParameterError } from './parameter.ts';

/** Milliseconds since 1970-01-01T00:00:00Z, or what to write instead. */
export type Timestamp =
  | { readonly kind: 'valid'; readonly milliseconds: number }
  | { readonly kind: 'invalid'; readonly detail: string };

const EXAMPLE = '2024-01-31T12:00:00Z';
const FORMAT = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(.*)$/s;

/** Seconds since 1970-01-01T00:00:00Z. Rounding up keeps both bounds of a range exact: reports have whole minutes. */
export function parseSeconds(text: string): number {
  const parsed = parseTimestamp(text);
  if (parsed.kind === 'invalid') throw new ParameterError(parsed.detail);
  return Math.ceil(parsed.milliseconds / 1000);
}

/** Rejects a range that ends before it begins; the error names a bound that the request has. */
export function checkRange({ texts, defaults }: GivenParameters): InvalidValue | undefined {
  const [from, to] = ['from', 'to'].map((name) => texts.get(name) ?? defaults[name] ?? '');
  const [first, end] = [from, to].map((text) => parseTimestamp(text ?? ''));
  if (first?.kind !== 'valid' || end?.kind !== 'valid' || first.milliseconds < end.milliseconds)
    return undefined;
  if (!texts.has('from')) return { name: 'to', detail: `must be later than ${from}, the default of from` };
  return {
    name: 'from',
    detail: texts.has('to') ? 'must be earlier than to' : `must be earlier than ${to}, the default of to`,
  };
}

/**
 * Parses an RFC 3339 timestamp in UTC (D19). `Date.parse` is not used: it turns 30 February into 1 March and a missing
 * offset into local time. Digits below the millisecond are rounded up, which keeps both bounds of a range exact:
 * no observation time lies between two milliseconds.
 */
export function parseTimestamp(text: string): Timestamp {
  const parts = FORMAT.exec(text);
  if (parts === null) return invalid(describeFormatError(text));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = '', offset = ''] = parts.slice(7);

  const offsetError = describeOffsetError(offset);
  if (offsetError !== undefined) return invalid(offsetError);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day)
    return invalid(`has a date that does not exist: there is no ${text.slice(0, 10)} in the calendar`);
  if (hour > 23) return invalid('must have an hour from 00 to 23: midnight is 00:00:00 of the next day');
  if (minute > 59) return invalid('must have minutes from 00 to 59');
  if (second > (isLeapSecond(month, day, hour, minute) ? 60 : 59))
    return invalid('must have seconds from 00 to 59');

  const seconds = (hour * 60 + minute) * 60 + second;
  return { kind: 'valid', milliseconds: midnight.getTime() + seconds * 1000 + toMilliseconds(fraction) };
}

function invalid(detail: string): Timestamp {
  return { kind: 'invalid', detail };
}

function describeFormatError(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `has no time: add it, as in ${text}T00:00:00Z`;
  if (/^\d{4}-\d{2}-\d{2} \d/.test(text)) return `must have T between date and time, as in ${EXAMPLE}`;
  return `must be an RFC 3339 timestamp in UTC, as in ${EXAMPLE}`;
}

function describeOffsetError(offset: string): string | undefined {
  if (/^(?:[Zz]|[+-]00:00)$/.test(offset)) return undefined;
  if (offset.startsWith('.')) return 'must have digits after the point, as in 2024-01-31T12:00:00.5Z';
  if (offset === '') return `has no UTC offset: end it with Z, as in ${EXAMPLE}`;
  // In a query string an unescaped + means a space.
  if (/^ \d{2}:\d{2}$/.test(offset)) return 'has a space in place of +: write Z, or %2B00:00';
  if (/^[+-]\d{2}:\d{2}$/.test(offset))
    return `must be in UTC: convert it, and end it with Z, as in ${EXAMPLE}`;
  return `must end with Z, as in ${EXAMPLE}`;
}

/** RFC 3339, 5.7: leap seconds are inserted in the last minute of June or December. */
function isLeapSecond(month: number, day: number, hour: number, minute: number): boolean {
  return hour === 23 && minute === 59 && ((month === 6 && day === 30) || (month === 12 && day === 31));
}

function toMilliseconds(fraction: string): number {
  const whole = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return /[1-9]/.test(fraction.slice(3)) ? whole + 1 : whole;
}
