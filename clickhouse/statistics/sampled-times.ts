import { EARLY_SECONDS } from '../model/nominal-hour.ts';
import { clampToArchive, NO_TIME, type TimeWindow } from '../model/time-window.ts';
import type { Sample } from './question.ts';

const HOUR = 3600;
/** The difference of any two zones is a multiple of it. */
const QUARTER = 900;

/** The times of a question: which reports it reads, and to which time of the calendar each belongs. */
type SampledTimes = {
  /** Of the observation times. */
  readonly window: TimeWindow;
  /** Seconds since 1970-01-01T00:00:00Z of one report, over a row with `observedAt`, and `hour` of the sample `hourly`. */
  readonly timeOfReport: string;
  /** The times of the calendar: `count` of them from `first` on, `step` seconds apart. */
  readonly calendar: { readonly first: number; readonly step: number; readonly count: number };
};

/**
 * With the sample `hourly` a range holds the nominal hours in it, so that its parts have no hour in common and none is
 * left out: a report of 23:51 belongs to the day that begins. With `all` each report belongs to its own time.
 */
export function sampledTimes(
  range: { readonly from: number; readonly to: number },
  sample: Sample,
): SampledTimes {
  const { from, to } = clampToArchive(range) ?? NO_TIME;
  if (sample === 'all')
    return {
      window: { from, to },
      timeOfReport: 'toUInt32(observedAt)',
      calendar: stepsWithin(Math.floor(from / QUARTER) * QUARTER, to, QUARTER),
    };
  const [first, end] = [Math.ceil(from / HOUR) * HOUR, Math.ceil(to / HOUR) * HOUR];
  return {
    window: { from: first - EARLY_SECONDS, to: end - EARLY_SECONDS },
    timeOfReport: `hour * ${HOUR}`,
    calendar: stepsWithin(first, end, HOUR),
  };
}

function stepsWithin(first: number, end: number, step: number) {
  return { first, step, count: Math.max(0, Math.ceil((end - first) / step)) };
}
