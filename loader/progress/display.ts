import { MultiBar } from 'cli-progress';
import type { LogFormat } from '../config.ts';
import { formatDuration } from '../wording.ts';

/** Prints results to standard output, and messages to standard error: above the progress bars while there are any. */
export function consoleOutput(results: NodeJS.WritableStream, messages: NodeJS.WritableStream) {
  const writeLine: Log = (line) => void messages.write(`${line}\n`);
  let write = writeLine;
  let format: LogFormat = 'text';
  return {
    /** Sets the format of lines from now on. */
    useFormat(given: LogFormat): void {
      format = given;
    },
    print: (line: string): void => void results.write(`${formatLine(format, 'result', line)}\n`),
    log: (line: string): void => write(formatLine(format, 'message', line)),
    /**
     * Shows the progress of runs at the same time until the work ends: bars on a terminal, lines elsewhere.
     *
     * @param work makes a display for each run, with its name where there are several
     */
    async showProgress<T>(work: (display: (name?: string) => Display) => Promise<T>): Promise<T> {
      if (format !== 'text' || !('isTTY' in messages && messages.isTTY))
        return work((name) => linesOn(writeLine, format, name));
      const bars = barsOn(messages);
      write = bars.log;
      try {
        return await work(bars.display);
      } finally {
        write = writeLine;
        bars.end();
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

type Bar = { readonly name: string; readonly state: CurrentState; readonly startedAt: number };

/** Clears from the cursor to the end of the screen (ECMA-48, ED): a message replaces the bars and may be longer. */
const CLEAR_BELOW = '\x1b[J';

function barsOn(stream: NodeJS.WritableStream) {
  const names: string[] = [];
  const bars = new MultiBar({
    stream,
    format: (_options, { maxWidth }, { name, state, startedAt }: Bar) => {
      const width = Math.max(...names.map(({ length }) => length));
      return barText(name.padEnd(width), state(secondsSince(startedAt)), secondsSince(startedAt), maxWidth);
    },
    // A message may be longer than a line.
    linewrap: true,
    // A message moves all bars down, even unchanged ones.
    forceRedraw: true,
    noTTYOutput: false,
  });
  let hasBars = false;
  const log = (line: string) => {
    if (hasBars) bars.log(`${CLEAR_BELOW}${line}\n`);
    else stream.write(`${line}\n`);
  };
  return {
    display: (name?: string): Display => {
      const prefix = name === undefined ? '' : `${name}: `;
      names.push(prefix);
      return {
        begin: (state) => {
          hasBars = true;
          bars.create(state(0).total, 0, { name: prefix, state, startedAt: performance.now() } satisfies Bar);
        },
        // A timer redraws the bars.
        advance: () => {},
        log: (line) => log(`${prefix}${line}`),
      };
    },
    log,
    end: () => {
      hasBars = false;
      // The last messages need one more redraw, because the timer no longer runs.
      bars.update();
      bars.stop();
    },
  };
}

const MIN_BAR = 8;
const MAX_BAR = 40;
/** Columns that stay empty: a terminal prints `^C` and its cursor there, and would wrap the line without them. */
const FREE_COLUMNS = 3;

/**
 * One line, never wider than the terminal: a bar, then as many details as fit.
 *
 * @param name with a blank after it; may be empty
 */
export function barText(name: string, state: ProgressState, elapsedSeconds: number, columns: number): string {
  const { total, finished, unit, details } = state;
  const available = columns - FREE_COLUMNS - name.length - 1;
  let text = `${finished}/${total} ${unit} · ${timeLeft(state, elapsedSeconds)}`;
  for (const detail of details) {
    const longer = `${text} · ${detail}`;
    if (MIN_BAR + longer.length > available) break;
    text = longer;
  }
  const width = Math.min(MAX_BAR, Math.max(MIN_BAR, available - text.length));
  const full = finished >= total ? width : Math.floor((width * finished) / total);
  return `${name}${'█'.repeat(full)}${'░'.repeat(width - full)} ${text}`.slice(0, columns - FREE_COLUMNS);
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
