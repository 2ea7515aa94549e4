import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { Display, Tally } from './progress.ts';

/** A log is told how far the run is no more often than this. */
const LOG_EVERY_MS = 10_000;

export type LogFormat = 'text' | 'json';

/** A bar on a terminal, lines anywhere else: plain, or JSON for whatever collects them. */
export function displayOn(stream: NodeJS.WriteStream, format: LogFormat): Display {
  return barsOrLines(stream, format, [undefined])[0] as Display;
}

/** One display a source, which says its name where there are several. */
export function displaysOn<Source extends string>(
  stream: NodeJS.WriteStream,
  format: LogFormat,
  sources: readonly Source[],
): readonly { readonly source: Source; readonly display: Display }[] {
  const displays = barsOrLines(stream, format, sources.length > 1 ? sources : [undefined]);
  return sources.map((source, at) => ({ source, display: displays[at] as Display }));
}

function barsOrLines(
  stream: NodeJS.WriteStream,
  format: LogFormat,
  names: readonly (string | undefined)[],
): readonly Display[] {
  if (format === 'json')
    return names.map((name) =>
      linesOn((event, text, tally) => stream.write(jsonLine(event, text, name, tally))),
    );
  if (stream.isTTY) return barsOn(stream, names);
  return names.map((name) => linesOn((_event, text) => stream.write(`${named(name, text)}\n`)));
}

function named(name: string | undefined, text: string): string {
  return name === undefined ? text : `${name}: ${text}`;
}

function jsonLine(event: string, text: string, source: string | undefined, tally: Tally | undefined): string {
  return `${JSON.stringify({ time: new Date().toISOString(), event, source, text, ...tally })}\n`;
}

function barsOn(stream: NodeJS.WriteStream, names: readonly (string | undefined)[]): readonly Display[] {
  const format = '{name}{bar} {value}/{total} slices · {counts} · {eta_formatted} left';
  const bars = new MultiBar({ stream, format, noTTYOutput: false }, Presets.shades_classic);
  let running = names.length;
  return names.map((name): Display => {
    let bar: SingleBar | undefined;
    const payload = (tally: Tally) => ({ name: named(name, ''), counts: counts(tally) });
    return {
      begin: (tally) => {
        bar = bars.create(tally.slices, 0, payload(tally));
      },
      advance: (tally) => {
        bar?.setTotal(tally.slices);
        bar?.update(tally.slicesDone + tally.slicesFailed, payload(tally));
      },
      say: (line) => {
        if (bar === undefined) stream.write(`${named(name, line)}\n`);
        else bars.log(`${named(name, line)}\n`);
      },
      end: () => {
        running -= 1;
        if (running === 0) bars.stop();
      },
    };
  });
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
