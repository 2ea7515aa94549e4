/** Numbers, times and days as the page writes them: ISO dates, `1020` instead of `1,020`, a true minus sign. */

export type Texts<Names extends string> = Readonly<Record<Names, string>>;
export type Numbers<Names extends string> = Readonly<Record<Names, number>>;

/** In milliseconds. */
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Days are texts such as 2024-01-31. */
export const addDays = (day: string, days: number) => dayOf(Date.parse(day) + days * DAY);

/** The same day of another year; for 29 February it is the 28th. */
export function addYears(day: string, years: number) {
  const year = Number(day.slice(0, 4)) + years;
  const isMissing = day.endsWith('-02-29') && addDays(`${year}-02-28`, 1) !== `${year}-02-29`;
  return `${year}${isMissing ? '-02-28' : day.slice(4)}`;
}

export const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

export const today = () => dayOf(Date.now());

/** A reported -0 (`M00`: below 0 °C) keeps its sign; a number that is only rounded to 0 has none. `–` is no number. */
export function formatNumber(value: unknown, decimals = 0): string {
  const number = toNumber(value);
  if (number === undefined) return '–';
  if (Object.is(number, -0)) return `\u2212${(0).toFixed(decimals)}`;
  const text = number.toFixed(decimals);
  return Number(text) === 0 ? text.replace('-', '') : text.replace('-', '\u2212');
}

/** Temperatures of records are decimal numbers as text. */
export function toNumber(value: unknown) {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** A count with thin spaces as thousands separators. */
export function formatCount(count: number) {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, '\u202f');
}

export const plural = (count: number, noun: string) =>
  `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;

/** From 0 to 1 (a sum of shares may be a little less than 1), with a space that is not broken. */
export function formatShare(share: number) {
  const percent = Number((100 * share).toFixed(6));
  if (percent > 0 && percent < 0.05) return '<\u00a00.1\u00a0%';
  const isNearEnd = percent !== 0 && percent !== 100 && Math.abs(percent - 50) > 49.05;
  return `${isNearEnd ? Math.min(99.9, percent).toFixed(1) : Math.round(percent)}\u00a0%`;
}

/** `2024-12-25 06:00`. */
export const formatTime = (time: number | string) =>
  new Date(time).toISOString().slice(0, 16).replace('T', ' ');

/** Milliseconds since then. */
export function formatAge(milliseconds: number) {
  const minutes = Math.max(0, Math.round(milliseconds / 60_000));
  if (minutes < 60) return `${plural(minutes, 'minute')} ago`;
  if (minutes < 48 * 60) return `${plural(Math.round(minutes / 60), 'hour')} ago`;
  return `${plural(Math.round(minutes / 60 / 24), 'day')} ago`;
}

export function formatPosition(latitude: number, longitude: number) {
  const north = `${Math.abs(latitude).toFixed(2)}° ${latitude < 0 ? 'S' : 'N'}`;
  return `${north} ${Math.abs(longitude).toFixed(2)}° ${longitude < 0 ? 'W' : 'E'}`;
}

const LOCAL_TIME = { hourCycle: 'h23', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const;

/** Local time of a zone, such as `14:02 EST`. */
export const formatLocalTime = (timeZone: string, now: number) =>
  new Intl.DateTimeFormat('en-US', { timeZone, ...LOCAL_TIME }).format(now);

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

/** Of a code of ISO 3166-1 alpha-2. */
export const countryName = (code: string | undefined) => code && (regions.of(code) ?? code);
