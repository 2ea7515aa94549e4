import type { LogFormat } from '../config.ts';

export type Log = (line: string) => void;

/** How far a run is, as text with commas, and its counts as fields of a JSON log line. */
export type ProgressState = { readonly text: string; readonly fields: Readonly<Record<string, unknown>> };

export type Display = {
  /** @param state returns the state at the time of the call */
  readonly begin: (state: () => ProgressState) => void;
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
  let runs: readonly { readonly name: string | undefined; readonly state: () => ProgressState }[] = [];
  const hasLine = () => messages.isTTY === true && format === 'text' && runs.length > 0;

  function draw(): void {
    const columns = Math.floor((messages.columns ?? 80) / runs.length) - 1;
    const texts = runs.map(({ name, state }) => cut(`${name ? `${name}: ` : ''}${state().text}`, columns));
    if (hasLine()) messages.write(CLEAR_LINE + texts.join(' '));
  }

  function write(event: string, text: string, source?: string, fields: ProgressState['fields'] = {}): void {
    if (hasLine()) messages.write(CLEAR_LINE);
    messages.write(`${formatLine(format, event, text, { source, ...fields })}\n`);
    draw();
  }

  function show(event: string, shown = runs): void {
    if (hasLine()) draw();
    else
      for (const { name, state } of shown) {
        const { text, fields } = state();
        write(event, text, name, fields);
      }
  }

  const displayOf = (name?: string): Display => ({
    begin(state) {
      if (isHidden) return;
      const run = { name, state };
      runs = [...runs, run];
      show('begin', [run]);
    },
    log: (text) => write('message', text, name),
  });

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
     * Shows the progress of runs at the same time until the work ends, and their last state then.
     *
     * @param work makes a display for each run, with its name where there are several
     */
    async showProgress<T>(work: (display: (name?: string) => Display) => Promise<T>): Promise<T> {
      const isTerminal = messages.isTTY === true && format === 'text';
      const timer = setInterval(() => show('progress'), isTerminal ? REDRAW_MS : LOG_INTERVAL_MS);
      try {
        return await work(displayOf);
      } finally {
        clearInterval(timer);
        show('progress');
        if (hasLine()) messages.write('\n');
        runs = [];
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
