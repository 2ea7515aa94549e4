import { daysBetween } from '../../clickhouse/model/day.ts';
import type { Failure, FetchEvents } from '../http/fetch-with-retry.ts';
import { addSkips, type SkipCounts, type Slice } from '../sources/source.ts';
import { fetchMessages, formatDuration, plural } from '../wording.ts';
import type { Display } from './display.ts';

/** `slicesEmpty` are done, without reports; `inserted` reports the archive lacked, or had with a less faithful text. */
const ZERO_COUNTS = {
  ...{ slices: 0, slicesDone: 0, slicesFailed: 0, slicesEmpty: 0 },
  ...{ reports: 0, inserted: 0, requests: 0, bytes: 0 },
};

export type Tally = typeof ZERO_COUNTS & { readonly skipped: SkipCounts };

type Counts = Readonly<Pick<Tally, 'reports' | 'inserted' | 'skipped'>>;

export type LoadResult =
  /** With counts, where the reports that could be read are kept. */
  | (Failure & Partial<Counts>)
  /** `unreadable`: which rows cannot be read. */
  | ({ readonly kind: 'loaded'; readonly unreadable?: string | undefined } & Counts);

export type LoadProgress = ReturnType<typeof loadProgress>;

/** Counts what a run of one source or of an import does, and shows it. A file counts as a slice. */
export function loadProgress({ begin, log }: Display, unit: 'slices' | 'files' = 'slices') {
  const tally: Tally = { ...ZERO_COUNTS, skipped: {} };
  const seconds = stopwatch();
  /** What is in progress, oldest first. */
  const activities = new Set<string>();
  /** `failure`: why the first failed slice failed. Later ones may only say that it continues. */
  let [stationDays, failure] = [0, ''];

  function count(more: Partial<typeof ZERO_COUNTS>): void {
    for (const [name, by] of Object.entries(more)) tally[name as keyof typeof ZERO_COUNTS] += by;
  }

  function state() {
    const [activity] = activities;
    return { text: progressText(tally, seconds(), activity, unit), fields: { ...tally, activity } };
  }

  function failed(reason: string): void {
    failure ||= reason;
    log(reason);
  }

  /** @param name of a slice or a file */
  function finished(name: string, result: LoadResult): void {
    const { reports = 0, inserted = 0, skipped = {} } = result;
    count({ reports, inserted });
    addSkips(tally.skipped, skipped);
    if (result.kind === 'failed') {
      count({ slicesFailed: 1 });
      failed(`${name}: not loaded: ${result.reason}${reports > 0 ? '; its other reports are kept' : ''}`);
    } else {
      count({ slicesDone: 1, slicesEmpty: reports === 0 ? 1 : 0 });
      if (result.unreadable !== undefined) log(`${name}: ${result.unreadable}`);
    }
  }

  const counts = { started: () => count({ requests: 1 }), received: (bytes: number) => count({ bytes }) };
  return {
    ...{ tally, log, failed, finished, events: { ...fetchMessages(log), ...counts } satisfies FetchEvents },
    /** @param more slices than expected so far; may be negative */
    expect(more: number): void {
      count({ slices: more });
      begin(state);
    },
    /** Shows this activity until the work ends; of several at the same time, the oldest. */
    async track<T>(activity: string, work: () => Promise<T>): Promise<T> {
      activities.add(activity);
      return work().finally(() => activities.delete(activity));
    },
    retryFailed(slices: number): void {
      count({ slicesFailed: -slices });
      log(`retrying ${plural(slices, 'failed slice')}`);
    },
    done({ station, firstDay, endDay, window }: Slice, result: LoadResult): void {
      if (result.kind !== 'failed' && window === undefined) stationDays += daysBetween(firstDay, endDay);
      finished(`${station} ${firstDay} to ${endDay}`, result);
    },
    /** What the ledger of loads keeps of the run. */
    record() {
      const { slicesDone: slices, requests, bytes, inserted } = tally;
      return { slices, stationDays, requests, bytes, seconds: seconds(), inserted, failure };
    },
  };
}

/** How far a run is, the most important first. */
export function progressText(tally: Tally, seconds: number, activity?: string, unit = 'slices'): string {
  const { slices, slicesDone, slicesFailed, reports, inserted, requests, bytes, skipped } = tally;
  const skips = Object.entries(skipped).map(([reason, rows]) => `${rows} ${reason}`);
  const failed = slicesFailed > 0 && `${slicesFailed} failed`;
  const sent = requests > 0 && `${megabytes(bytes)} MB`;
  const share = shareDone(slicesDone + slicesFailed, slices, unit, seconds);
  return joined(share, failed, perSecond(reports, seconds), activity, sent, `${inserted} new`, ...skips);
}

function shareDone(finished: number, total: number, unit: string, seconds: number): string {
  const left = finished === 0 ? '?' : formatDuration((seconds / finished) * (total - finished));
  return `${finished}/${total} ${unit}, ${finished >= total ? 'done' : `${left} left`}`;
}

export function formatTally({ reports, inserted, requests, bytes }: Tally): string {
  return `${plural(reports, 'report')}, ${inserted} new, ${plural(requests, 'request')}, ${megabytes(bytes)} MB`;
}

/** Seconds since the call. */
function stopwatch(): () => number {
  const startedAt = performance.now();
  return () => (performance.now() - startedAt) / 1000;
}

const joined = (...details: readonly unknown[]) => details.filter(Boolean).join(', ');
const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const perSecond = (reports: number, seconds: number) =>
  `${Math.round(reports / Math.max(1, seconds))} reports/s`;

export type StepProgress = ReturnType<typeof stepProgress>;

/** Begins to show work on a number of reports; the function that it returns says how many are done, and their bytes. */
export function stepProgress({ begin }: Display) {
  return (total: number) => {
    const seconds = stopwatch();
    let [done, read] = [0, ''];
    begin(() => {
      const text = joined(shareDone(done, total, 'reports', seconds()), perSecond(done, seconds()), read);
      return { text, fields: { done, total } };
    });
    return (reports: number, bytes = 0): void => {
      [done, read] = [reports, bytes > 0 ? `${megabytes(bytes)} MB` : ''];
    };
  };
}
