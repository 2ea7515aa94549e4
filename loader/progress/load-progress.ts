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

/** Counts what a run of one source or of an import does, and shows it. A file counts as a slice. */
export class LoadProgress {
  readonly tally: Tally = { ...ZERO_COUNTS, skipped: {} };
  readonly log: Log;
  readonly events: FetchEvents;
  readonly #startedAt = performance.now();
  /** `undefined` once it is shown. */
  #begin: Display['begin'] | undefined;
  readonly #unit: string;
  #stationDays = 0;
  /** Why the first failed slice failed; empty if none did. Later ones may only say that it continues. */
  #failure = '';
  /** What is in progress, oldest first. */
  readonly #activities = new Set<string>();

  constructor({ begin, log }: Display, unit: 'slices' | 'files' = 'slices') {
    [this.#begin, this.#unit, this.log] = [begin, unit, log];
    const { tally } = this;
    this.events = {
      ...fetchMessages(log),
      started: () => {
        tally.requests += 1;
      },
      received: (bytes) => {
        tally.bytes += bytes;
      },
    };
  }

  /** @param more slices than expected so far; may be negative */
  expect(more: number): void {
    this.tally.slices += more;
    const begin = this.#begin;
    this.#begin = undefined;
    begin?.(() => {
      const [activity] = this.#activities;
      const text = progressText(this.tally, this.#seconds(), activity, this.#unit);
      return { text, fields: { ...this.tally, activity } };
    });
  }

  /** Shows this activity until the work ends; of several at the same time, the oldest. */
  async track<T>(activity: string, work: () => Promise<T>): Promise<T> {
    this.#activities.add(activity);
    return work().finally(() => this.#activities.delete(activity));
  }

  retryFailed(slices: number): void {
    this.tally.slicesFailed -= slices;
    this.log(`retrying ${plural(slices, 'failed slice')}`);
  }

  done({ station, firstDay, endDay, window }: Slice, result: LoadResult): void {
    if (result.kind !== 'failed' && window === undefined) this.#stationDays += daysBetween(firstDay, endDay);
    this.finished(`${station} ${firstDay} to ${endDay}`, result);
  }

  /** @param name of a slice or a file */
  finished(name: string, result: LoadResult): void {
    const { tally } = this;
    const { reports = 0, inserted = 0, skipped = {} } = result;
    tally.reports += reports;
    tally.inserted += inserted;
    addSkips(tally.skipped, skipped);
    if (result.kind === 'failed') {
      tally.slicesFailed += 1;
      this.failed(
        `${name}: not loaded: ${result.reason}${reports > 0 ? '; its other reports are kept' : ''}`,
      );
    } else {
      tally.slicesDone += 1;
      if (reports === 0) tally.slicesEmpty += 1;
      if (result.unreadable !== undefined) this.log(`${name}: ${result.unreadable}`);
    }
  }

  failed(reason: string): void {
    this.#failure ||= reason;
    this.log(reason);
  }

  /** What the ledger of loads keeps of the run. */
  record() {
    const { slicesDone: slices, requests, bytes, inserted } = this.tally;
    const [seconds, failure, stationDays] = [this.#seconds(), this.#failure, this.#stationDays];
    return { slices, stationDays, requests, bytes, seconds, inserted, failure };
  }

  #seconds(): number {
    return (performance.now() - this.#startedAt) / 1000;
  }
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

/** The progress of a command that counts reports. */
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
