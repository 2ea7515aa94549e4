import { MultiBar } from 'cli-progress';
import { barText } from './bar-text.ts';
import type { Log } from './console.ts';
import type { Display, LogFormat, ProgressState } from './display.ts';
import { logLines } from './log-lines.ts';

type Screen = {
  readonly displays: readonly Display[];
  /** For messages that belong to no display. */
  readonly log: Log;
};

/** The payload of one bar. */
type Bar = { readonly name: string; readonly state: () => ProgressState };

/** Clears from the cursor to the end of the screen (ECMA-48, ED): a message replaces the bars and may be longer. */
const CLEAR_BELOW = '\x1b[J';

/** A bar on a terminal, lines elsewhere. */
export function displayOn(stream: NodeJS.WriteStream, format: LogFormat): Display {
  return screenOn(stream, format, [undefined]).displays[0] as Display;
}

/** One display for each source, with the name of the source where there are several. */
export function displaysOn<Source extends string>(
  stream: NodeJS.WriteStream,
  format: LogFormat,
  sources: readonly Source[],
): {
  readonly displays: readonly { readonly source: Source; readonly display: Display }[];
  readonly log: Log;
} {
  const { displays, log } = screenOn(stream, format, sources.length > 1 ? sources : [undefined]);
  return { displays: sources.map((source, at) => ({ source, display: displays[at] as Display })), log };
}

function screenOn(
  stream: NodeJS.WriteStream,
  format: LogFormat,
  names: readonly (string | undefined)[],
): Screen {
  if (format === 'text' && stream.isTTY) return barsOn(stream, names);
  const write: Log = (line) => stream.write(`${line}\n`);
  return { displays: names.map((name) => logLines(write, format, name)), log: logLines(write, format).log };
}

function barsOn(stream: NodeJS.WriteStream, names: readonly (string | undefined)[]): Screen {
  const bars = new MultiBar({
    stream,
    format: (_options, { maxWidth }, { name, state }: Bar) => barText({ name, ...state() }, maxWidth),
    // A message may be longer than a line.
    linewrap: true,
    // A message moves all bars down, even unchanged ones.
    forceRedraw: true,
    noTTYOutput: false,
  });
  const prefixes = names.map((name) => (name === undefined ? '' : `${name}: `));
  const widest = Math.max(...prefixes.map(({ length }) => length));
  let begun = 0;
  let running = names.length;
  const log = (line: string) => {
    if (begun === 0) stream.write(`${line}\n`);
    else bars.log(`${CLEAR_BELOW}${line}\n`);
  };
  const displays = prefixes.map(
    (prefix): Display => ({
      begin: (state) => {
        begun += 1;
        bars.create(state().total, 0, { name: prefix.padEnd(widest), state } satisfies Bar);
      },
      // A timer redraws the bars.
      advance: () => {},
      log: (line) => log(`${prefix}${line}`),
      end: () => {
        running -= 1;
        if (running > 0) return;
        // The last messages need one more redraw, because the timer no longer runs.
        bars.update();
        bars.stop();
      },
    }),
  );
  return { displays, log };
}
