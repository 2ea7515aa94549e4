import type { Tally } from './progress.ts';

const LEAST_BAR = 8;
const MOST_BAR = 40;

/** How far a run is. */
export type Reached = {
  /** Which source it is of; empty where there is but one. */
  readonly name: string;
  readonly tally: Tally;
  readonly elapsedSeconds: number;
};

/** So that the `^C` of a terminal and its cursor find room behind the line, which would wrap otherwise. */
const FREE = 3;

/** One line of a terminal, never wider than it: a bar, and as many counts behind it as there is room for. */
export function barText({ name, tally, elapsedSeconds }: Reached, columns: number): string {
  const room = columns - FREE - name.length - 1;
  const finished = tally.slicesDone + tally.slicesFailed;
  let text = `${finished}/${tally.slices} slices · ${timeLeft(tally.slices, finished, elapsedSeconds)}`;
  for (const count of countsOf(tally, elapsedSeconds)) {
    const longer = `${text} · ${count}`;
    if (LEAST_BAR + longer.length > room) break;
    text = longer;
  }
  const width = Math.min(MOST_BAR, Math.max(LEAST_BAR, room - text.length));
  const full = tally.slices === 0 ? width : Math.min(width, Math.floor((width * finished) / tally.slices));
  return `${name}${'█'.repeat(full)}${'░'.repeat(width - full)} ${text}`.slice(0, columns - FREE);
}

/** The most telling first. */
function countsOf(tally: Tally, elapsedSeconds: number): readonly string[] {
  const { slicesFailed, reports, inserted, requests, bytes } = tally;
  const skipped = Object.values(tally.skipped).reduce((sum, rows) => sum + rows, 0);
  return [
    ...(slicesFailed > 0 ? [`${slicesFailed} failed`] : []),
    `${Math.round(reports / Math.max(1, elapsedSeconds))} reports/s`,
    `${(bytes / 1e6).toFixed(1)} MB`,
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
    `${inserted} new`,
    `${requests} requests`,
    ...Object.entries(tally.skipped).map(([reason, rows]) => `${rows} ${reason}`),
  ];
}

function timeLeft(slices: number, finished: number, elapsedSeconds: number): string {
  if (finished >= slices) return 'done';
  if (finished === 0) return '? left';
  return `${duration((elapsedSeconds / finished) * (slices - finished))} left`;
}

function duration(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 100) return `${minutes} min`;
  const hours = Math.ceil(minutes / 60);
  return hours < 100 ? `${hours} h` : `${Math.ceil(hours / 24)} days`;
}
