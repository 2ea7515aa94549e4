import type { Condition } from '../../clickhouse/conditions/condition.ts';
import { type ConditionFields, insteadOfField } from '../../clickhouse/conditions/fields.ts';
import { parseCondition } from '../../clickhouse/conditions/parse-condition.ts';
import { ConditionError } from '../../clickhouse/conditions/tokens.ts';
import type { BoundingBox, Coordinates } from '../../clickhouse/stations.ts';
import { insteadOf } from '../../clickhouse/validation.ts';
import type { TimeZone } from '../../clickhouse/zones/clocks.ts';
import { canonicalZone } from '../../clickhouse/zones/zone-offsets.ts';

/** A mistake in the value of a parameter. The message follows its name. */
export class ParameterError extends Error {
  override readonly name = 'ParameterError';
}

const EXAMPLE = '2024-01-31T12:00:00Z';
const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(.*)$/s;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

export function isDate(text: string): boolean {
  return DATE.test(text);
}

/** For an endpoint whose range is of days: the start of a date in UTC, in seconds since 1970-01-01T00:00:00Z. */
export function parseDate(text: string): number {
  if (isDate(text)) return toSeconds(parseTimestamp(`${text}T00:00:00Z`));
  throw new ParameterError(
    `must be a date, as in ${/^\d{4}-\d{2}-\d{2}/.exec(text)?.[0] ?? '2024-01-31'}: days have no times`,
  );
}

/** Seconds since 1970-01-01T00:00:00Z. Rounding up keeps both bounds of a range exact: reports have whole minutes. */
export function toSeconds(milliseconds: number): number {
  return Math.ceil(milliseconds / 1000);
}

/**
 * An RFC 3339 timestamp in UTC (D19) as milliseconds since 1970-01-01T00:00:00Z. `Date.parse` turns 30 February into 1 March.
 * Digits below the millisecond are rounded up, which keeps both bounds of a range exact.
 *
 * @param takesDates whether the text may be a date, which stands for its start in UTC
 */
export function parseTimestamp(text: string, takesDates = false): number {
  if (takesDates && isDate(text)) return parseTimestamp(`${text}T00:00:00Z`);
  const parts = TIMESTAMP.exec(text);
  if (parts === null) throw new ParameterError(describeFormatError(text, takesDates));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = '', offset = ''] = parts.slice(7);

  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day)
    throw new ParameterError(
      `has a date that does not exist: there is no ${text.slice(0, 10)} in the calendar`,
    );
  if (hour > 23)
    throw new ParameterError('must have an hour from 00 to 23: midnight is 00:00:00 of the next day');
  if (minute > 59) throw new ParameterError('must have minutes from 00 to 59');
  if (second > (isLeapSecond(month, day, hour, minute) ? 60 : 59))
    throw new ParameterError('must have seconds from 00 to 59');

  const seconds = midnight.getTime() / 1000 + (hour * 60 + minute) * 60 + second;
  const offsetError = describeOffsetError(offset, seconds, fraction);
  if (offsetError !== undefined) throw new ParameterError(offsetError);
  return seconds * 1000 + toMilliseconds(fraction);
}

function describeFormatError(text: string, takesDates: boolean): string {
  if (isDate(text)) return `has no time: add it, as in ${text}T00:00:00Z`;
  if (/^\d{4}-\d{2}-\d{2} \d/.test(text)) return `must have T between date and time, as in ${EXAMPLE}`;
  return `must be an RFC 3339 timestamp in UTC, as in ${EXAMPLE}${takesDates ? ', or a date, as in 2024-01-31' : ''}`;
}

/** What is wrong with an offset, and how to write the time in UTC. `seconds` is the time as written, without the offset. */
function describeOffsetError(offset: string, seconds: number, fraction: string): string | undefined {
  if (/^(?:[Zz]|[+-]00:00)$/.test(offset)) return undefined;
  if (offset.startsWith('.')) return 'must have digits after the point, as in 2024-01-31T12:00:00.5Z';
  if (offset === '') return `has no UTC offset: end it with Z, as in ${EXAMPLE}`;
  // In a query string an unescaped + means a space.
  const [, sign, hours, minutes] = /^([ +-])(\d{2}):(\d{2})$/.exec(offset) ?? [];
  if (sign !== undefined) {
    const shift = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -60 : 60);
    const time = new Date((seconds - shift) * 1000).toISOString().slice(0, -'.000Z'.length);
    const utc = `${time}${fraction && `.${fraction}`}Z`;
    return sign === ' '
      ? `has a space in place of +: write ${utc}, which is this time in UTC`
      : `must be in UTC: write ${utc}, which is the same time`;
  }
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

const ZONES: ReadonlyMap<string, TimeZone> = new Map([
  ['utc', { kind: 'zone', zone: 'UTC' }],
  ['local', { kind: 'station', isStandard: false }],
  ['standard', { kind: 'station', isStandard: true }],
]);

export function parseTimeZone(text: string): TimeZone {
  const known = ZONES.get(text);
  if (known !== undefined) return known;
  // Intl also accepts offsets and lowercase names.
  const zone = /^[A-Za-z]/.test(text) ? canonicalZone(text) : undefined;
  if (zone !== undefined) return { kind: 'zone', zone };
  const names = [...ZONES.keys(), ...Intl.supportedValuesOf('timeZone')];
  throw new ParameterError(
    `has an unknown zone ${text.slice(0, 64)}: write utc, local, standard, or an IANA name, as in Europe/London; ${insteadOf(text, names, 'see /docs/statistics')}`,
  );
}

/** @param offset characters of the parameter before the condition: the position of an error counts from its start */
export function readCondition(text: string, offset = 0, fields?: ConditionFields): Condition {
  try {
    return parseCondition(text, fields);
  } catch (error) {
    if (!(error instanceof ConditionError)) throw error;
    throw new ParameterError(
      error.message.replace(/at character \d+/, `at character ${offset + error.position}`),
    );
  }
}

/**
 * The columns of the fields that a request names: `crosswind(40)` is `crosswind_40`. The message lists up to five unknown names.
 *
 * @param keys members that each record has, which a request cannot name
 */
export function readFields(
  names: readonly string[],
  fields: ReadonlyMap<string, { readonly name: string }>,
  keys: readonly string[] = [],
): readonly string[] {
  const instead = (name: string) =>
    keys.includes(name) ? 'each record has it' : insteadOfField(name, [...fields.keys()]);
  const unknown = names.filter((name) => !fields.has(name));
  if (unknown.length === 0) return [...new Set(names.map((name) => fields.get(name)?.name ?? name))];
  const shown = unknown.slice(0, 5).map((name) => `${JSON.stringify(name.slice(0, 32))} (${instead(name)})`);
  throw new ParameterError(`must be names of fields separated by commas; found ${shown.join(', ')}`);
}

/** Four numbers within their ranges, whose southern edge is not north of the northern edge. */
export function parseBoundingBox(text: string): BoundingBox | undefined {
  const edges = parseDegrees(text);
  if (edges?.length !== 4) return undefined;
  const [west = 0, south = 0, east = 0, north = 0] = edges;
  const isInRange = [west, east].every((edge) => Math.abs(edge) <= 180) && south >= -90 && north <= 90;
  return isInRange && south <= north ? { west, south, east, north } : undefined;
}

export function parsePoint(text: string): Coordinates | undefined {
  const degrees = parseDegrees(text);
  if (degrees?.length !== 2) return undefined;
  const [latitude = 0, longitude = 0] = degrees;
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : undefined;
}

/** Comma-separated numbers, with as many decimals as programs print. */
function parseDegrees(text: string): readonly number[] | undefined {
  const numbers = text.split(',');
  if (!numbers.every((number) => /^-?\d{1,3}(\.\d{1,20})?$/.test(number))) return undefined;
  // Adding 0 turns -0 into 0, so that cursors are bound to the same value.
  return numbers.map((number) => Number(number) + 0);
}
