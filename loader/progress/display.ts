import type { LogFormat } from '../config.ts';

export type Log = (line: string) => void;

/** How far a run is, as text with commas, and its counts as fields of a JSON log line. */
export type ProgressState = { readonly text: string; readonly fields: Readonly<Record<string, unknown>> };

export type Display = {
  /** @param state returns the state at the time of the call */
  readonly begin: (state: () => ProgressState) => void;
  readonly advance: () => void;
  readonly log: Log;
};

/** Returns to the start of the line and clears it (ECMA-48, EL). */
const CLEAR_LINE = '\r\x1b[K';
/** The time from one drawing of the last line of a terminal to the next, and from one line of a log to the next. */
const [REDRAW_MS, LOG_INTERVAL_MS] = [1000, 10_000];

export type ConsoleOutput = ReturnType<typeof consoleOutput>;

/**
 * Prints results to standard output, and messages and progress to standard error. On a terminal one line, the last,
 * shows how far the runs are; elsewhere each run writes lines.
 */
export function consoleOutput(
  results: NodeJS.WritableStream,
  messages: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number },
) {
  let format: LogFormat = 'text';
  let isHidden = false;
  /** The runs of the last line of a terminal. */
  let shown: readonly (() => string)[] = [];
  let drawnAt = Number.NEGATIVE_INFINITY;

  function draw(): void {
    drawnAt = performance.now();
    const columns = Math.floor((messages.columns ?? 80) / shown.length) - 1;
    if (shown.length > 0) messages.write(CLEAR_LINE + shown.map((text) => cut(text(), columns)).join(' '));
  }

  function write(event: string, text: string, source?: string, fields: ProgressState['fields'] = {}): void {
    if (shown.length > 0) messages.write(CLEAR_LINE);
    messages.write(`${formatLine(format, event, text, { source, ...fields })}\n`);
    draw();
  }

  function displayOf(name?: string): Display {
    let state: (() => ProgressState) | undefined;
    let loggedAt = Number.NEGATIVE_INFINITY;
    const writeState = (event: string) => {
      const { text = '', fields } = state?.() ?? {};
      write(event, text, name, fields);
    };
    return {
      begin(current) {
        if (isHidden) return;
        state = current;
        if (!messages.isTTY || format === 'json') return writeState('begin');
        shown = [...shown, () => `${name === undefined ? '' : `${name}: `}${current().text}`];
        draw();
      },
      advance() {
        const now = performance.now();
        if (shown.length > 0 && now - drawnAt >= REDRAW_MS) draw();
        if (shown.length > 0 || state === undefined || now - loggedAt < LOG_INTERVAL_MS) return;
        loggedAt = now;
        writeState('progress');
      },
      log: (text) => write('message', text, name),
    };
  }

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
    log: (text: string): void => write('message', text),
    /**
     * Shows the progress of runs at the same time until the work ends, and leaves the last state on the screen.
     *
     * @param work makes a display for each run, with its name where there are several
     */
    async showProgress<T>(work: (display: (name?: string) => Display) => Promise<T>): Promise<T> {
      try {
        return await work(displayOf);
      } finally {
        draw();
        if (shown.length > 0) messages.write('\n');
        shown = [];
      }
    },
  };
}

/** As many details as fit. */
function cut(text: string, columns: number): string {
  return text.length <= columns ? text : text.slice(0, Math.max(0, text.lastIndexOf(',', columns)));
}

/** One line of output: the text, or JSON with the time, the event, the text and the fields. */
function formatLine(format: LogFormat, event: string, text: string, fields: ProgressState['fields'] = {}) {
  if (format === 'json') return JSON.stringify({ time: new Date().toISOString(), event, text, ...fields });
  return fields.source === undefined ? text : `${fields.source}: ${text}`;
}
