import type { FetchEvents } from '../http/fetch-with-retry.ts';
import type { LoadResult } from '../pipeline/load-slice.ts';
import { addSkips, type SkipCounts } from '../pipeline/skip-reasons.ts';
import type { Slice } from '../sources/source.ts';

/** What a run has done so far. */
export type Tally = {
  slices: number;
  slicesDone: number;
  slicesFailed: number;
  /** Done, though the source holds nothing. */
  slicesEmpty: number;
  reports: number;
  inserted: number;
  requests: number;
  bytes: number;
  readonly skipped: SkipCounts;
};

/** Shows a run to whoever watches it; one for a terminal, one for a log. */
export type Display = {
  readonly begin: (tally: Tally) => void;
  readonly advance: (tally: Tally) => void;
  readonly say: (line: string) => void;
  readonly end: () => void;
};

/** Counts a run and tells a display of it. */
export class Progress implements FetchEvents {
  readonly tally: Tally = newTally();
  private readonly display: Display;

  constructor(display: Display) {
    this.display = display;
  }

  begin(slices: number): void {
    this.tally.slices = slices;
    this.display.begin(this.tally);
  }

  /** Planning has found more or fewer slices than were thought of. */
  expect(more: number): void {
    this.tally.slices += more;
  }

  /** So many of the failed slices are tried again. */
  again(slices: number): void {
    this.tally.slicesFailed -= slices;
    this.display.say(`${slices} slices that failed are tried again`);
  }

  readonly done = ({ station, firstDay, endDay }: Slice, loaded: LoadResult): void =>
    this.finished(`${station} ${firstDay} to ${endDay}`, loaded);

  /** @param name of a slice or a file */
  finished(name: string, loaded: LoadResult): void {
    const { tally } = this;
    if (loaded.kind === 'failed') {
      tally.slicesFailed += 1;
      this.display.say(`${name}: not loaded: ${loaded.reason}`);
    } else {
      tally.slicesDone += 1;
      tally.reports += loaded.reports;
      tally.inserted += loaded.inserted;
      addSkips(tally.skipped, loaded.skipped);
      if (loaded.reports === 0) tally.slicesEmpty += 1;
    }
    this.display.advance(tally);
  }

  say(line: string): void {
    this.display.say(line);
  }

  readonly started = (): void => {
    this.tally.requests += 1;
  };

  readonly received = (bytes: number): void => {
    this.tally.bytes += bytes;
  };

  readonly pausing = (reason: string, waitSeconds: number): void => {
    this.display.say(
      `in trouble, left alone for ${Math.ceil(waitSeconds)} s and then tried again: ${reason}`,
    );
  };

  readonly retrying = (url: string, reason: string, waitSeconds: number): void => {
    this.display.say(`asking again in ${Math.ceil(waitSeconds)} s: ${reason} (${url})`);
  };
}

function newTally(): Tally {
  const none = { slices: 0, slicesDone: 0, slicesFailed: 0, slicesEmpty: 0 };
  return { ...none, reports: 0, inserted: 0, requests: 0, bytes: 0, skipped: {} };
}
