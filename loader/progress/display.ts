import type { LogFormat } from '../config.ts';
import { formatDuration } from '../wording.ts';

/**
 * Prints results to standard output, and messages and progress to standard error. On a terminal one line, the last,
 * shows how far the runs are; elsewhere each run writes lines.
 */
export function consoleOutput(results: NodeJS.WritableStream, messages: NodeJS.WritableStream) {
  let format: LogFormat = 'text';
  let isHidden = false;
  const line = 'isTTY' in messages && messages.isTTY ? progressLine(messages) : undefined;
  const writeLine: Log = (text) => {
    line?.clear();
    messages.write(`${text}\n`);
    line?.draw();
  };
  return {
    /** Sets the format of lines from now on. */
    useFormat(given: LogFormat): void {
      format = given;
    },
    /** Shows no progress from now on; messages stay. */
    hideProgress(): void {
      isHidden = true;
    },
    print: (text: string): void => void results.write(`${formatLine(format, 'result', text)}\n`),
    log: (text: string): void => writeLine(formatLine(format, 'message', text)),
    /**
     * Shows the progress of runs at the same time until the work ends.
     *
     * @param work makes a display for each run, with its name where there are several
     */
    async showProgress<T>(work: (display: (name?: string) => Display) => Promise<T>): Promise<T> {
      const show = line !== undefined && format === 'text' ? line.show : undefined;
      try {
        return await work((name) => {
          const display = show?.(name, writeLine) ?? linesOn(writeLine, format, name);
          return isHidden ? { ...display, begin() {}, advance() {} } : display;
        });
      } finally {
        line?.end();
      }
    },
  };
}

export type ConsoleOutput = ReturnType<typeof consoleOutput>;

export type Log = (line: string) => void;

/** How far a run is. */
export type ProgressState = {
  /** What is counted, in the plural: `slices`. */
  readonly unit: string;
  readonly total: number;
  readonly finished: number;
  /** Speed and counts as text, the most important first. */
  readonly details: readonly string[];
  /** The counts as fields of a JSON log line. */
  readonly fields: Readonly<Record<string, unknown>>;
};

/** Returns the state at the time of the call, that many seconds after the run began. */
type CurrentState = (elapsedSeconds: number) => ProgressState;

export type Display = {
  readonly begin: (state: CurrentState) => void;
  readonly advance: () => void;
  readonly log: Log;
};

type Run = { readonly name: string; readonly state: CurrentState; readonly startedAt: number };

/** Returns to the start of the line and clears it (ECMA-48, EL). */
const CLEAR_LINE = '\r\x1b[K';
const REDRAW_MS = 1000;

/** The last line of a terminal: how far all runs are, drawn again at most once a second. */
function progressLine(stream: NodeJS.WritableStream & { readonly columns?: number }) {
  let runs: readonly Run[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;
  const clear = () => void (runs.length > 0 && stream.write(CLEAR_LINE));
  const draw = () => {
    drawnAt = performance.now();
    const share = Math.floor((stream.columns ?? 80) / Math.max(1, runs.length));
    const texts = runs.map(({ name, state, startedAt }) => {
      const seconds = secondsSince(startedAt);
      return progressText(name, state(seconds), seconds, share - 1);
    });
    if (runs.length > 0) stream.write(CLEAR_LINE + texts.join(' '));
  };
  return {
    clear,
    draw,
    show: (name: string | undefined, log: Log): Display => {
      const prefix = name === undefined ? '' : `${name}: `;
      return {
        begin: (state) => {
          runs = [...runs, { name: prefix, state, startedAt: performance.now() }];
          draw();
        },
        advance: () => void (performance.now() - drawnAt >= REDRAW_MS && draw()),
        log: (text) => log(`${prefix}${text}`),
      };
    },
    /** Leaves the last state on the screen. */
    end: () => {
      if (runs.length === 0) return;
      draw();
      stream.write('\n');
      runs = [];
    },
  };
}

/** One line, never wider than `columns`: as many details as fit. */
export function progressText(
  name: string,
  state: ProgressState,
  elapsedSeconds: number,
  columns: number,
): string {
  const { total, finished, unit, details } = state;
  let text = `${name}${finished}/${total} ${unit}, ${timeLeft(state, elapsedSeconds)}`;
  for (const detail of details) {
    if (text.length + 2 + detail.length > columns) break;
    text += `, ${detail}`;
  }
  return text.slice(0, columns);
}

function timeLeft({ total, finished }: ProgressState, elapsedSeconds: number): string {
  if (finished >= total) return 'done';
  if (finished === 0) return '? left';
  return `${formatDuration((elapsedSeconds / finished) * (total - finished))} left`;
}

const LOG_INTERVAL_MS = 10_000;

/** Writes progress as lines, at most one in ten seconds, for a log or a file. */
function linesOn(write: Log, format: LogFormat, name?: string): Display {
  let current: CurrentState | undefined;
  let startedAt = 0;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const line = (event: string, text: string, fields: ProgressState['fields'] = {}) =>
    write(formatLine(format, event, text, { source: name, ...fields }));
  return {
    begin: (state) => {
      current = state;
      startedAt = performance.now();
      const { total, unit, fields } = state(0);
      line('begin', `0/${total} ${unit}`, fields);
    },
    advance: () => {
      if (current === undefined || performance.now() - loggedAt < LOG_INTERVAL_MS) return;
      loggedAt = performance.now();
      const seconds = secondsSince(startedAt);
      const state = current(seconds);
      const { finished, total, unit, details, fields } = state;
      const parts = [`${finished}/${total} ${unit}`, timeLeft(state, seconds), ...details];
      line('progress', parts.join(', '), fields);
    },
    log: (text) => line('message', text),
  };
}

/** One line of output: the text, or JSON with the time, the event, the text and the fields. */
function formatLine(
  format: LogFormat,
  event: string,
  text: string,
  fields: ProgressState['fields'] & { readonly source?: string | undefined } = {},
): string {
  if (format === 'json') return JSON.stringify({ time: new Date().toISOString(), event, text, ...fields });
  return fields.source === undefined ? text : `${fields.source}: ${text}`;
}

function secondsSince(start: number): number {
  return (performance.now() - start) / 1000;
}
