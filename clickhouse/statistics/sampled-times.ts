import { clampToArchive, EARLY_SECONDS, NO_TIME, type TimeWindow } from '../model/time-window.ts';

const HOUR = 3600;

/** Seconds since 1970-01-01T00:00:00Z. */
type SampledTimes = {
  /** Of the reports that count. */
  readonly window: TimeWindow;
  /** From where on reports are read: from the first that can be the first of its nominal hour. */
  readonly readFrom: number;
  /** The clock hours that lie in the range, whole or in part: the first of them, and their number. */
  readonly firstHour: number;
  readonly hours: number;
  /** How many of them begin in it. */
  readonly expected: number;
};

export function sampledTimes(range: TimeWindow): SampledTimes {
  const window = clampToArchive(range) ?? NO_TIME;
  const [first, end] = [Math.floor(window.from / HOUR), Math.ceil(window.to / HOUR)];
  return {
    window,
    readFrom: Math.floor((window.from + EARLY_SECONDS) / HOUR) * HOUR - EARLY_SECONDS,
    firstHour: first * HOUR,
    hours: window.from === window.to ? 0 : end - first,
    expected: end - Math.ceil(window.from / HOUR),
  };
}
