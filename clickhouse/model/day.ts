/** A UTC day as text, `2024-01-31`, which sorts and compares chronologically. */
export type Day = string & { readonly [day]: never };
declare const day: unique symbol;

/** Nothing older is loaded or stored. */
export const FIRST_DAY = '2005-01-01' as Day;

const MS_PER_DAY = 86_400_000;

/** Late reports and corrections still arrive for this long after a day has ended (D13). */
const DONE_AFTER_HOURS = 72;

/** `undefined` for anything but a day of the calendar in the form `YYYY-MM-DD`. */
export function parseDay(text: string): Day | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text ? undefined : (text as Day);
}

/** @param epochSeconds seconds since 1970-01-01T00:00:00Z */
export function dayOf(epochSeconds: number): Day {
  return new Date(epochSeconds * 1000).toISOString().slice(0, 10) as Day;
}

let year = 1970;
let yearStart = 0;
let yearEnd = Date.UTC(1971, 0) / 1000;

/**
 * The calendar year of a time; seconds since 1970-01-01T00:00:00Z. Reports come in time order, so the year of the
 * previous call is tried first, which avoids a Date per report.
 */
export function yearOf(epochSeconds: number): number {
  if (epochSeconds < yearStart || epochSeconds >= yearEnd) {
    year = new Date(epochSeconds * 1000).getUTCFullYear();
    yearStart = Date.UTC(year, 0) / 1000;
    yearEnd = Date.UTC(year + 1, 0) / 1000;
  }
  return year;
}

/** The midnight that starts a day, in seconds since 1970-01-01T00:00:00Z. */
export function dayStart(of: Day): number {
  return Date.parse(`${of}T00:00:00Z`) / 1000;
}

export function addDays(to: Day, days: number): Day {
  return dayOf(dayStart(to) + (days * MS_PER_DAY) / 1000);
}

/** Days from `first` to `end`: 1 from a day to the next. */
export function daysBetween(first: Day, end: Day): number {
  return ((dayStart(end) - dayStart(first)) * 1000) / MS_PER_DAY;
}

/** The first day that ended less than 72 hours before `now`: it and all later ones are never done (D13). */
export function firstProvisionalDay(now: Date): Day {
  return dayOf(now.getTime() / 1000 - DONE_AFTER_HOURS * 3600);
}
