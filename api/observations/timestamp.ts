/** A bound of a time range: milliseconds since 1970-01-01T00:00:00Z, or what to write instead. */
export type Timestamp =
  | { readonly kind: 'time'; readonly milliseconds: number }
  | { readonly kind: 'fault'; readonly detail: string };

const EXAMPLE = '2024-01-31T12:00:00Z';
const FORM = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(.*)$/s;

/**
 * Reads an RFC 3339 timestamp in UTC (D19). Parsed here, for `Date.parse` turns 30 February into 1 March and a missing
 * offset into local time. Digits below the millisecond are rounded up, which keeps both bounds of a range exact:
 * no report stands between two milliseconds.
 */
export function parseTimestamp(text: string): Timestamp {
  const parts = FORM.exec(text);
  if (parts === null) return fault(misformed(text));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const [fraction = '', offset = ''] = parts.slice(7);

  const wrongOffset = offsetFault(offset);
  if (wrongOffset !== undefined) return fault(wrongOffset);
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day)
    return fault(`there is no ${text.slice(0, 10)} in the calendar`);
  if (hour > 23) return fault('hours go from 00 to 23: midnight is 00:00:00 of the next day');
  if (minute > 59) return fault('minutes go from 00 to 59');
  if (second > (isLeapSecond(month, day, hour, minute) ? 60 : 59)) return fault('seconds go from 00 to 59');

  const seconds = (hour * 60 + minute) * 60 + second;
  return { kind: 'time', milliseconds: midnight.getTime() + seconds * 1000 + millisecondsOf(fraction) };
}

function fault(detail: string): Timestamp {
  return { kind: 'fault', detail };
}

function misformed(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return `is a date alone: add the time, as in ${text}T00:00:00Z`;
  if (/^\d{4}-\d{2}-\d{2} \d/.test(text)) return `must have T between date and time, as in ${EXAMPLE}`;
  return `must be an RFC 3339 timestamp in UTC, as in ${EXAMPLE}`;
}

function offsetFault(offset: string): string | undefined {
  if (/^(?:[Zz]|[+-]00:00)$/.test(offset)) return undefined;
  if (offset === '') return `has no UTC offset: end it with Z, as in ${EXAMPLE}`;
  // In a query string a bare + stands for a blank.
  if (/^ \d{2}:\d{2}$/.test(offset)) return 'holds a blank where a + was meant: write Z, or %2B00:00';
  if (/^[+-]\d{2}:\d{2}$/.test(offset))
    return `must be in UTC: convert it, and end it with Z, as in ${EXAMPLE}`;
  return `must end with Z, as in ${EXAMPLE}`;
}

/** RFC 3339, 5.7: leap seconds are announced for the last minute of June or December. */
function isLeapSecond(month: number, day: number, hour: number, minute: number): boolean {
  return hour === 23 && minute === 59 && ((month === 6 && day === 30) || (month === 12 && day === 31));
}

function millisecondsOf(fraction: string): number {
  const whole = Number(fraction.slice(0, 3).padEnd(3, '0'));
  return /[1-9]/.test(fraction.slice(3)) ? whole + 1 : whole;
}
