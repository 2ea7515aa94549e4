import { MultiBar } from 'cli-progress';
import { barText, type Reached } from './bar-text.ts';
import type { Say } from './console.ts';
import type { Display, Tally } from './progress.ts';

/** A log is told how far the run is no more often than this. */
const LOG_EVERY_MS = 10_000;

type Screen = { readonly displays: readonly Display[]; readonly say: Say };
type Named = Pick<Reached, 'name' | 'tally'>;

/** What is said takes the place of the bars, and may take more lines than one (ECMA-48, ED). */
const CLEAR_BELOW = '\x1b[J';

export type LogFormat = 'text' | 'json';

/** A bar on a terminal, lines anywhere else: plain, or JSON for whatever collects them. */
export function displayOn(stream: NodeJS.WriteStream, format: LogFormat): Display {
  return barsOrLines(stream, format, [undefined]).displays[0] as Display;
}

/** One display a source, which says its name where there are several. */
export function displaysOn<Source extends string>(
  stream: NodeJS.WriteStream,
  format: LogFormat,
  sources: readonly Source[],
): {
  readonly displays: readonly { readonly source: Source; readonly display: Display }[];
  /** For what is of no source. */
  readonly say: Say;
} {
  const { displays, say } = barsOrLines(stream, format, sources.length > 1 ? sources : [undefined]);
  return { displays: sources.map((source, at) => ({ source, display: displays[at] as Display })), say };
}

function barsOrLines(
  stream: NodeJS.WriteStream,
  format: LogFormat,
  names: readonly (string | undefined)[],
): Screen {
  if (format === 'text' && stream.isTTY) return barsOn(stream, names);
  const linesOf = (name: string | undefined) =>
    linesOn((event, text, tally) =>
      stream.write(format === 'json' ? jsonLine(event, text, name, tally) : `${named(name, text)}\n`),
    );
  return { displays: names.map(linesOf), say: linesOf(undefined).say };
}

function named(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}: ${text}`;
}

function jsonLine(event: string, text: string, source: string | undefined, tally: Tally | undefined): string {
  return `${JSON.stringify({ time: new Date().toISOString(), event, source, text, ...tally })}\n`;
}

function barsOn(stream: NodeJS.WriteStream, names: readonly (string | undefined)[]): Screen {
  const bars = new MultiBar({
    stream,
    format: (_options, { maxWidth, startTime }, { name, tally }: Named) =>
      barText({ name, tally, elapsedSeconds: (Date.now() - startTime) / 1000 }, maxWidth),
    // What is said may be longer than a line.
    linewrap: true,
    // A line that is said moves all bars down, also those that have not changed.
    forceRedraw: true,
    noTTYOutput: false,
  });
  const widest = Math.max(...names.map((name) => named(name, '').length));
  let begun = 0;
  let running = names.length;
  const say = (line: string) => {
    if (begun === 0) stream.write(`${line}\n`);
    else bars.log(`${CLEAR_BELOW}${line}\n`);
  };
  const displays = names.map(
    (name): Display => ({
      begin: (tally) => {
        begun += 1;
        bars.create(tally.slices, 0, { name: named(name, '').padEnd(widest), tally } satisfies Named);
      },
      // Bars are drawn again and again, with the tally as it is then.
      advance: () => {},
      say: (line) => say(named(name, line)),
      end: () => {
        running -= 1;
        if (running > 0) return;
        // What was said last waits for the next drawing, which will not come.
        bars.update();
        bars.stop();
      },
    }),
  );
  return { displays, say };
}

function linesOn(write: (event: string, text: string, tally?: Tally) => void): Display {
  let told = Number.NEGATIVE_INFINITY;
  return {
    begin: (tally) => write('begin', `${tally.slices} slices to load`, tally),
    advance: (tally) => {
      const now = performance.now();
      if (now - told < LOG_EVERY_MS) return;
      told = now;
      write(
        'progress',
        `${tally.slicesDone + tally.slicesFailed}/${tally.slices} slices, ${counts(tally)}`,
        tally,
      );
    },
    say: (line) => write('note', line),
    end: () => {},
  };
}

export function counts({ reports, inserted, requests, bytes }: Tally): string {
  return `${reports} reports, ${inserted} new, ${requests} requests, ${(bytes / 1e6).toFixed(1)} MB`;
}
