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

/** Counts are those of the reports that are kept; `unreadable` says which rows cannot be read. */
export type LoadResult = (Failure | { readonly kind: 'loaded'; readonly unreadable?: string | undefined }) &
  Partial<Pick<Tally, 'reports' | 'inserted' | 'skipped'>>;

export type LoadProgress = ReturnType<typeof loadProgress>;

/** Counts and shows what a run of one source or of an import does. `unit` is what counts as a slice: a file, or a report. */
export function loadProgress({ begin, log }: Display, unit = 'slices', elapsed = stopwatch()) {
  const tally: Tally = { ...ZERO_COUNTS, skipped: {} };
  /** What is in progress, oldest first. */
  const activities = new Set<string>();
  /** `failure`: why the first failed slice failed. Later ones may only say that it continues. */
  let failure = '';

  function count(more: Partial<typeof ZERO_COUNTS>): void {
    for (const [name, by] of Object.entries(more)) tally[name as keyof typeof ZERO_COUNTS] += by;
  }

  /** The details of the run, the most important ones first. */
  function state() {
    const { inserted, bytes, skipped } = tally;
    const [activity] = activities;
    const read = bytes > 0 && `${megabytes(bytes)} MB`;
    const added = unit !== 'reports' && `${inserted} new`;
    const skips = Object.entries(skipped).map(([reason, rows]) => `${rows} ${reason}`);
    const details = [shareDone(tally, unit, elapsed()), activity, read, added, ...skips];
    return { text: details.filter(Boolean).join(', '), ...tally, activity };
  }

  function failed(reason: string): void {
    failure ||= reason;
    log(reason);
  }

  const counts = { started: () => count({ requests: 1 }), received: (bytes: number) => count({ bytes }) };
  return {
    ...{ tally, failed, events: { ...fetchMessages(log), ...counts } satisfies FetchEvents },
    /** @param more slices than expected so far; may be negative */
    expect(more: number): void {
      count({ slices: more });
      begin(state);
    },
    /** Shows this activity until the work ends. Of several activities at the same time, the oldest one is shown. */
    async track<T>(activity: string, work: () => Promise<T>): Promise<T> {
      activities.add(activity);
      return work().finally(() => activities.delete(activity));
    },
    retryFailed(slices: number): void {
      count({ slicesFailed: -slices });
      log(`retrying ${plural(slices, 'failed slice')}`);
    },
    /** @param of a slice, or the name of a file */
    done(of: Slice | string, result: LoadResult): void {
      const { reports = 0, inserted = 0, skipped = {} } = result;
      count({ reports, inserted });
      addSkips(tally.skipped, skipped);
      const name = typeof of === 'string' ? of : `${of.station} ${of.firstDay} to ${of.endDay}`;
      if (result.kind === 'failed') {
        count({ slicesFailed: 1 });
        failed(`${name}: not loaded: ${result.reason}${reports > 0 ? '; its other reports are kept' : ''}`);
      } else {
        count({ slicesDone: 1, slicesEmpty: reports === 0 ? 1 : 0 });
        if (result.unreadable !== undefined) log(`${name}: ${result.unreadable}`);
      }
    },
    /** What the ledger of loads keeps of the run. */
    record() {
      return { slices: tally.slicesDone, inserted: tally.inserted, failure };
    },
  };
}

export function formatTally({ reports, inserted, requests, bytes }: Tally): string {
  return `${plural(reports, 'report')}, ${inserted} new, ${plural(requests, 'request')}, ${megabytes(bytes)} MB`;
}

function shareDone({ slices, slicesDone, slicesFailed, reports }: Tally, unit: string, seconds: number) {
  const finished = slicesDone + slicesFailed;
  const left = finished === 0 ? '?' : formatDuration((seconds / finished) * (slices - finished));
  const failed = slicesFailed > 0 ? `, ${slicesFailed} failed` : '';
  const perSecond = Math.round(reports / Math.max(1, seconds));
  return `${finished}/${slices} ${unit}, ${finished >= slices ? 'done' : `${left} left`}${failed}, ${perSecond} reports/s`;
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);

/** @returns the seconds since the call */
const stopwatch =
  (startedAt = performance.now()) =>
  () =>
    (performance.now() - startedAt) / 1000;

export type StepProgress = (total: number) => (done: number, bytes?: number) => void;

/** Shows the progress of work on a number of reports. Call the returned function with the numbers of reports and bytes done. */
export function stepProgress(display: Display): StepProgress {
  return (total) => {
    const { tally, expect } = loadProgress(display, 'reports');
    expect(total);
    return (done, bytes = 0) => void Object.assign(tally, { slicesDone: done, reports: done, bytes });
  };
}
