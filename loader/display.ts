import { Presets, SingleBar } from 'cli-progress';
import type { Display, Tally } from './progress.ts';

/** A log is told how far the run is no more often than this. */
const LOG_EVERY_MS = 10_000;

export type LogFormat = 'text' | 'json';

/** A bar on a terminal, lines anywhere else: plain, or JSON for whatever collects them. */
export function displayOn(stream: NodeJS.WriteStream, format: LogFormat): Display {
  if (format === 'json') return linesOn((event, text, tally) => stream.write(jsonLine(event, text, tally)));
  return stream.isTTY ? barOn(stream) : linesOn((_event, text) => stream.write(`${text}\n`));
}

function jsonLine(event: string, text: string, tally: Tally | undefined): string {
  return `${JSON.stringify({ time: new Date().toISOString(), event, text, ...tally })}\n`;
}

function barOn(stream: NodeJS.WriteStream): Display {
  const bar = new SingleBar(
    { stream, format: '{bar} {value}/{total} slices · {counts} · {eta_formatted} left', noTTYOutput: false },
    Presets.shades_classic,
  );
  return {
    begin: (tally) => bar.start(tally.slices, 0, { counts: counts(tally) }),
    advance: (tally) => bar.update(tally.slicesDone + tally.slicesFailed, { counts: counts(tally) }),
    say: (line) => {
      stream.write(`\r\u001b[K${line}\n`);
      if (bar.isActive) bar.render();
    },
    end: () => bar.stop(),
  };
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
