import { daysBetween } from '../../clickhouse/model/day.ts';
import type { FetchEvents } from '../http/fetch-with-retry.ts';
import type { LoadResult } from '../pipeline/load-slice.ts';
import { addSkips, type SkipCounts } from '../sources/skip-reasons.ts';
import type { Slice } from '../sources/source.ts';
import { plural } from '../wording.ts';
import type { Display, ProgressState } from './display.ts';
import { fetchMessages } from './fetch-messages.ts';

/** What a run has done so far. A file counts as a slice. */
export type Tally = {
  slices: number;
  slicesDone: number;
  slicesFailed: number;
  /** Done, without reports. */
  slicesEmpty: number;
  reports: number;
  /** Reports that the archive lacked, or had with a less faithful text. */
  inserted: number;
  requests: number;
  bytes: number;
  readonly skipped: SkipCounts;
};

/** Counts what a load does, and shows it on a display. */
export class LoadProgress implements FetchEvents {
  readonly tally: Tally = emptyTally();
  readonly pausing: FetchEvents['pausing'];
  readonly retrying: FetchEvents['retrying'];
  private readonly display: Display;
  private readonly unit: 'slices' | 'files';
  private readonly createdAt = performance.now();
  private startedAt = this.createdAt;
  private hasBegun = false;
  /** Days of the slices that were loaded. */
  stationDays = 0;
  /** Why the first failed slice failed; empty if none did. Later ones may only say that it continues. */
  failure = '';
  /** What is in progress, oldest first. */
  private readonly activities = new Set<string>();

  constructor(display: Display, unit: 'slices' | 'files' = 'slices') {
    this.display = display;
    this.unit = unit;
    const { pausing, retrying } = fetchMessages((line) => display.log(line));
    this.pausing = pausing;
    this.retrying = retrying;
  }

  /** A run can begin with further slices. */
  begin(slices: number): void {
    this.tally.slices += slices;
    if (this.hasBegun) return;
    this.hasBegun = true;
    this.startedAt = performance.now();
    this.display.begin(() => this.state());
  }

  /** Shows this activity until the work ends; of several at the same time, the oldest. */
  async track<T>(activity: string, work: () => Promise<T>): Promise<T> {
    this.activities.add(activity);
    try {
      return await work();
    } finally {
      this.activities.delete(activity);
    }
  }

  /** @param more may be negative */
  adjustTotal(more: number): void {
    this.tally.slices += more;
  }

  retryFailed(slices: number): void {
    this.tally.slicesFailed -= slices;
    this.display.log(`retrying ${plural(slices, 'failed slice')}`);
  }

  readonly done = ({ station, firstDay, endDay, window }: Slice, result: LoadResult): void => {
    if (result.kind !== 'failed' && window === undefined) this.stationDays += daysBetween(firstDay, endDay);
    this.finished(`${station} ${firstDay} to ${endDay}`, result);
  };

  /** @param name of a slice or a file */
  finished(name: string, result: LoadResult): void {
    const { tally } = this;
    if (result.kind === 'failed') {
      tally.slicesFailed += 1;
      this.failed(`${name}: not loaded: ${result.reason}`);
    } else {
      tally.slicesDone += 1;
      tally.reports += result.reports;
      tally.inserted += result.inserted;
      addSkips(tally.skipped, result.skipped);
      if (result.reports === 0) tally.slicesEmpty += 1;
    }
    this.display.advance();
  }

  /** Logs what failed. */
  failed(reason: string): void {
    this.failure ||= reason;
    this.display.log(reason);
  }

  log(line: string): void {
    this.display.log(line);
  }

  readonly started = (): void => {
    this.tally.requests += 1;
  };

  readonly received = (bytes: number): void => {
    this.tally.bytes += bytes;
  };

  /** What the ledger of loads keeps of the run. */
  get record() {
    const { slicesDone: slices, requests, bytes, inserted } = this.tally;
    const { stationDays, failure } = this;
    const seconds = (performance.now() - this.createdAt) / 1000;
    return { slices, stationDays, requests, bytes, seconds, inserted, failure };
  }

  private state(): ProgressState {
    const { tally, unit } = this;
    const [activity] = this.activities;
    const elapsedSeconds = (performance.now() - this.startedAt) / 1000;
    return {
      unit,
      total: tally.slices,
      finished: tally.slicesDone + tally.slicesFailed,
      elapsedSeconds,
      details: tallyDetails(tally, elapsedSeconds, activity),
      fields: { ...tally, activity },
    };
  }
}

export function tallyDetails(
  tally: Tally,
  elapsedSeconds: number,
  activity: string | undefined,
): readonly string[] {
  const { slicesFailed, reports, inserted, requests, bytes } = tally;
  const skipped = Object.values(tally.skipped).reduce((sum, rows) => sum + rows, 0);
  return [
    ...(slicesFailed > 0 ? [`${slicesFailed} failed`] : []),
    `${Math.round(reports / Math.max(1, elapsedSeconds))} reports/s`,
    ...(activity === undefined ? [] : [activity]),
    ...(requests > 0 ? [`${megabytes(bytes)} MB`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `${inserted} new`,
    ...(requests > 0 ? [plural(requests, 'request')] : []),
    ...Object.entries(tally.skipped).map(([reason, rows]) => `${rows} ${reason}`),
  ];
}

/** The counts of a finished run. */
export function formatTally({ reports, inserted, requests, bytes }: Tally): string {
  return `${plural(reports, 'report')}, ${inserted} new, ${plural(requests, 'request')}, ${megabytes(bytes)} MB`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function emptyTally(): Tally {
  return {
    slices: 0,
    slicesDone: 0,
    slicesFailed: 0,
    slicesEmpty: 0,
    reports: 0,
    inserted: 0,
    requests: 0,
    bytes: 0,
    skipped: {},
  };
}
