import { Presets, SingleBar } from 'cli-progress';
import type { Display, Tally } from './progress.ts';

/** A log is told how far the run is no more often than this. */
const LOG_EVERY_MS = 10_000;

/** A bar on a terminal, plain lines anywhere else. */
export function displayOn(stream: NodeJS.WriteStream): Display {
  return stream.isTTY ? barOn(stream) : linesOn(stream);
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
      bar.render();
    },
    end: () => bar.stop(),
  };
}

function linesOn(stream: NodeJS.WriteStream): Display {
  let told = 0;
  return {
    begin: ({ slices }) => stream.write(`${slices} slices to load\n`),
    advance: (tally) => {
      const now = performance.now();
      if (now - told < LOG_EVERY_MS) return;
      told = now;
      stream.write(`${tally.slicesDone + tally.slicesFailed}/${tally.slices} slices, ${counts(tally)}\n`);
    },
    say: (line) => stream.write(`${line}\n`),
    end: () => {},
  };
}

export function counts({ reports, inserted, requests, bytes }: Tally): string {
  return `${reports} reports, ${inserted} new, ${requests} requests, ${(bytes / 1e6).toFixed(1)} MB`;
}
