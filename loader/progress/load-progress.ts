import { daysBetween } from '../../clickhouse/model/day.ts';
import type { Failure, FetchEvents } from '../http/fetch-with-retry.ts';
import { addSkips, type SkipCounts, type Slice } from '../sources/source.ts';
import { formatDuration, plural } from '../wording.ts';
import type { Display, Log } from './display.ts';

type Counts = Readonly<Pick<Tally, 'reports' | 'inserted' | 'skipped'>>;

export type LoadResult =
  /** With counts, where the reports that could be read are kept. */
  | (Failure & Partial<Counts>)
  /** `unreadable`: which rows cannot be read. */
  | ({ readonly kind: 'loaded'; readonly unreadable?: string | undefined } & Counts);

/** `slicesEmpty` are done, without reports; `inserted` reports the archive lacked, or had with a less faithful text. */
const ZERO_COUNTS = {
  ...{ slices: 0, slicesDone: 0, slicesFailed: 0, slicesEmpty: 0 },
  ...{ reports: 0, inserted: 0, requests: 0, bytes: 0 },
};

export type Tally = typeof ZERO_COUNTS & { readonly skipped: SkipCounts };

export type LoadProgress = ReturnType<typeof loadProgress>;

/** Counts what a run of one source or of an import does, and shows it. A file counts as a slice. */
export function loadProgress({ begin, log }: Display, unit: 'slices' | 'files' = 'slices') {
  const tally: Tally = { ...ZERO_COUNTS, skipped: {} };
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  /** What is in progress, oldest first. */
  const activities = new Set<string>();
  /** `failure`: why the first failed slice failed. Later ones may only say that it continues. */
  let [hasBegun, stationDays, failure] = [false, 0, ''];
  const add = (count: 'requests' | 'bytes', more: number) => {
    tally[count] += more;
  };
  const counts = { started: () => add('requests', 1), received: (bytes: number) => add('bytes', bytes) };
  const events: FetchEvents = { ...fetchMessages(log), ...counts };

  function failed(reason: string): void {
    failure ||= reason;
    log(reason);
  }

  /** @param name of a slice or a file */
  function finished(name: string, result: LoadResult): void {
    const { reports = 0, inserted = 0, skipped = {} } = result;
    tally.reports += reports;
    tally.inserted += inserted;
    addSkips(tally.skipped, skipped);
    if (result.kind === 'failed') {
      tally.slicesFailed += 1;
      failed(`${name}: not loaded: ${result.reason}${reports > 0 ? '; its other reports are kept' : ''}`);
    } else {
      tally.slicesDone += 1;
      if (reports === 0) tally.slicesEmpty += 1;
      if (result.unreadable !== undefined) log(`${name}: ${result.unreadable}`);
    }
  }

  return {
    ...{ tally, log, events, failed, finished },
    /** @param more slices than expected so far; may be negative */
    expect(more: number): void {
      tally.slices += more;
      if (hasBegun) return;
      hasBegun = true;
      begin(() => {
        const [activity] = activities;
        return { text: progressText(tally, seconds(), activity, unit), fields: { ...tally, activity } };
      });
    },
    /** Shows this activity until the work ends; of several at the same time, the oldest. */
    async track<T>(activity: string, work: () => Promise<T>): Promise<T> {
      activities.add(activity);
      return work().finally(() => activities.delete(activity));
    },
    retryFailed(slices: number): void {
      tally.slicesFailed -= slices;
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
export function progressText(
  { slices, slicesDone, slicesFailed, reports, inserted, requests, bytes, skipped }: Tally,
  seconds: number,
  activity?: string,
  unit = 'slices',
): string {
  return [
    shareDone(slicesDone + slicesFailed, slices, unit, seconds),
    slicesFailed > 0 && `${slicesFailed} failed`,
    perSecond(reports, seconds),
    activity,
    requests > 0 && `${megabytes(bytes)} MB`,
    `${inserted} new`,
    ...Object.entries(skipped).map(([reason, rows]) => `${rows} ${reason}`),
  ]
    .filter(Boolean)
    .join(', ');
}

function shareDone(finished: number, total: number, unit: string, seconds: number): string {
  const left = finished === 0 ? '?' : formatDuration((seconds / finished) * (total - finished));
  return `${finished}/${total} ${unit}, ${finished >= total ? 'done' : `${left} left`}`;
}

export function formatTally({ reports, inserted, requests, bytes }: Tally): string {
  return `${plural(reports, 'report')}, ${inserted} new, ${plural(requests, 'request')}, ${megabytes(bytes)} MB`;
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(1);
const perSecond = (reports: number, seconds: number) =>
  `${Math.round(reports / Math.max(1, seconds))} reports/s`;

export function fetchMessages(log: Log): FetchEvents {
  const duration = (seconds: number) => formatDuration(Math.ceil(seconds));
  return {
    pausing: (reason, seconds) => log(`source unavailable (${reason}); pausing ${duration(seconds)}`),
    retrying: (url, reason, seconds) => log(`retrying in ${duration(seconds)}: ${reason} (${url})`),
  };
}

export type StepProgress = ReturnType<typeof stepProgress>;

export function stepProgress(display: Display) {
  let [done, note] = [0, ''];
  return {
    begin(total: number): void {
      const startedAt = performance.now();
      display.begin(() => {
        const seconds = (performance.now() - startedAt) / 1000;
        const text = `${shareDone(done, total, 'reports', seconds)}, ${perSecond(done, seconds)}${note}`;
        return { text, fields: { done, total } };
      });
    },
    /** @param now all reports so far, with anything else to say */
    advance(now: number, more = ''): void {
      [done, note] = [now, more && `, ${more}`];
    },
  };
}
