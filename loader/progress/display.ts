export type LogLine = (line: string) => void;
type LogFields = Readonly<Record<string, unknown>>;
/** How far a run is at the time of the call: text with commas, and fields of a JSON log line. */
type State = () => LogFields & { readonly text: string };

/** `begin` does nothing with a state that it shows already. */
export type Display = { readonly begin: (state: State) => void; readonly log: LogLine };

/** Returns to the start of the line and clears it (ECMA-48, EL). */
const CLEAR_LINE = '\r\x1b[K';
/** Milliseconds between updates of the last line of a terminal, and between lines of progress in a log. */
const [REDRAW_MS, LOG_INTERVAL_MS] = [1000, 10_000];

type OutputShape = { readonly format?: 'text' | 'json'; readonly isQuiet?: boolean };
export type ConsoleOutput = ReturnType<typeof consoleOutput>;

/**
 * Results go to standard output, messages and progress to standard error. On a terminal, progress is the last line; elsewhere it
 * is lines for each run. With `isQuiet` there is no progress.
 */
export function consoleOutput(
  results: NodeJS.WritableStream,
  messages: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number },
  { format = 'text', isQuiet = false }: OutputShape = {},
) {
  const isTerminal = messages.isTTY === true && format === 'text';
  /** The runs in progress, with their sources if there are several. */
  const runs = new Map<State, string | undefined>();

  const withSource = (source: unknown, text: string) => (source === undefined ? text : `${source}: ${text}`);

  /** The last line of a terminal, with as many details of each run as fit. */
  function lastLine(): string {
    if (!isTerminal || runs.size === 0) return '';
    const columns = Math.floor((messages.columns ?? 80) / runs.size) - 1;
    const texts = [...runs].map(([state, source]) => withSource(source, state().text));
    const cut = (text: string) => text.slice(0, Math.max(0, `${text},`.lastIndexOf(',', columns)));
    return CLEAR_LINE + texts.map(cut).join(' ');
  }

  /** The text, or JSON with the time, the event, the text and the fields. */
  function write(event: string, text: string, { source, ...fields }: LogFields = {}): void {
    const json = () => JSON.stringify({ time: new Date(), event, text, source, ...fields });
    const line = format === 'text' ? withSource(source, text) : json();
    if (event === 'result') return void results.write(`${line}\n`);
    const below = lastLine();
    messages.write(`${below && CLEAR_LINE}${line}\n${below}`);
  }

  function show(event: string, shown: Iterable<State> = runs.keys()): void {
    if (isTerminal) return void messages.write(lastLine());
    for (const state of shown) {
      const { text, ...fields } = state();
      write(event, text, { source: runs.get(state), ...fields });
    }
  }

  return {
    print: (text: string): void => write('result', text),
    log: (text: string): void => write('message', text),
    /** Shows the runs until the work ends, each by a display of its own, with its source where there are several. */
    async showProgress<T>(work: (display: (source?: string) => Display) => Promise<T>): Promise<T> {
      const timer = setInterval(() => show('progress'), isTerminal ? REDRAW_MS : LOG_INTERVAL_MS);
      try {
        return await work((source) => ({
          begin(state) {
            if (isQuiet || runs.has(state)) return;
            runs.set(state, source);
            show('begin', [state]);
          },
          log: (text) => write('message', text, { source }),
        }));
      } finally {
        clearInterval(timer);
        show('progress');
        if (lastLine() !== '') messages.write('\n');
        runs.clear();
      }
    },
  };
}
