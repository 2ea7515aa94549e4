import { DAY, formatTime, HOUR, MONTHS } from '../format.js';

/** @import { Span } from '../declarations.ts' */

const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** @type {Map<string, Intl.DateTimeFormat>} */
const formats = new Map();

/** Milliseconds that are added to UTC for the local time of a zone. @param {string | undefined} zone @param {number} time */
function offsetAt(zone, time) {
  if (zone === undefined) return 0;
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(zone, format);
  return Date.parse(`${format.format(time).replace(' ', 'T')}Z`) - Math.floor(time / 1000) * 1000;
}

/** A time whose UTC is the local time of a zone. @param {string | undefined} zone @param {number} time */
const toLocal = (zone, time) => time + offsetAt(zone, time);

/** @param {string | undefined} zone @param {number} local */
const fromLocal = (zone, local) => local - offsetAt(zone, local - offsetAt(zone, local));

/**
 * The begins of steps in local time within a domain.
 * @param {readonly [number, number]} domain
 * @param {string | undefined} zone
 * @param {(date: Date) => number} next the begin of the step after a time
 */
function steps([from, to], zone, next) {
  const begins = [];
  for (
    let local = next(new Date(toLocal(zone, from) - 1));
    fromLocal(zone, local) < to;
    local = next(new Date(local))
  )
    begins.push(local);
  return begins;
}

/** @param {number} length */
const every = (length) => (/** @type {Date} */ date) => (Math.floor(Number(date) / length) + 1) * length;
/** @param {Date} date */
const nextMonday = (date) =>
  every(DAY)(new Date(Number(date) + ((8 - date.getUTCDay()) % 7 || 7) * DAY - DAY));
/** @param {Date} date */
const nextMonth = (date) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
/** @param {number} years */
const nextYears = (years) => (/** @type {Date} */ date) =>
  Date.UTC((Math.floor(date.getUTCFullYear() / years) + 1) * years, 0);

/**
 * Lines of the time axis, their labels, which are in the middle of a day or month that they name, and how the cursor
 * writes a time.
 * @param {Span} span
 * @param {readonly [number, number]} domain
 * @param {number} width
 * @param {string} [zone] of the axis: UTC if absent
 */
export function timeAxis(span, [from, to], width, zone) {
  const isNarrow = width < 560;
  const years = Math.ceil((52 * (to - from)) / (365.25 * DAY) / width);
  /** @param {number} time */
  const minute = (time) => `${formatTime(toLocal(zone, time))} ${zone === undefined ? 'UTC' : 'local time'}`;
  /** @param {Date} date @param {number} begin @param {number} [end] */
  const iso = (date, begin, end) => date.toISOString().slice(begin, end);
  /** @type {Record<Span, { next: (date: Date) => number, text: (date: Date) => string, length: number, read: (time: number) => string }>} */
  const axes = {
    day: {
      next: every((isNarrow ? 6 : 4) * HOUR),
      text: (date) => iso(date, 11, 16),
      length: 0,
      read: minute,
    },
    week: {
      next: every(DAY),
      text: (date) => (isNarrow ? iso(date, 8, 10) : `${WEEKDAYS[date.getUTCDay()]} ${iso(date, 5, 10)}`),
      length: DAY,
      read: minute,
    },
    month: { next: nextMonday, text: (date) => iso(date, 5, 10), length: 0, read: minute },
    year: {
      next: nextMonth,
      // Twelve names of months need more room than a column of a tablet has.
      text: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, width < 350 ? 1 : 3),
      length: 30.4 * DAY,
      read: (time) => iso(new Date(time), 0, 10),
    },
    all: {
      next: nextYears(years),
      text: (date) => iso(date, 0, 4),
      length: 0,
      read: (time) => iso(new Date(time), 0, 7),
    },
  };
  const { next, text, length, read } = axes[span];
  const ofReports = read === minute;
  const shown = ofReports ? zone : undefined;
  const ticks = steps([from, to], shown, next).map((local) => ({
    time: fromLocal(shown, local),
    at: fromLocal(shown, local) + length / 2,
    text: text(new Date(local)),
    name: length > 0 ? 'middle' : '',
  }));
  return { ticks, read, zone: ofReports ? (zone === undefined ? 'UTC' : 'local') : '' };
}
