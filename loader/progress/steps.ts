import { Presets, SingleBar } from 'cli-progress';
import type { LogFormat } from './bars.ts';
import type { Say } from './console.ts';

/** A log is told how far the work is no more often than this. */
const LOG_EVERY_MS = 10_000;

/** Shows how far a piece of work is whose steps are all alike. */
export type Steps = {
  readonly begin: (total: number) => void;
  readonly advance: (done: number) => void;
  readonly end: () => void;
};

/** Steps that something else can be told beside. */
export type SpokenSteps = Steps & { readonly say: Say };

/** @param unit what is counted, in the plural */
export function stepsOn(stream: NodeJS.WriteStream, format: LogFormat, unit: string): SpokenSteps {
  return format === 'text' && stream.isTTY ? barOn(stream, unit) : linesOn(stream, format, unit);
}

function barOn(stream: NodeJS.WriteStream, unit: string): SpokenSteps {
  const bar = new SingleBar(
    { stream, format: `{bar} {value}/{total} ${unit} · {eta_formatted} left`, noTTYOutput: false },
    Presets.shades_classic,
  );
  return {
    begin: (total) => bar.start(total, 0),
    advance: (done) => bar.update(done),
    end: () => bar.stop(),
    // The bar stays where it was and goes on below.
    say: (line) => stream.write(`\n${line}\n`),
  };
}

function linesOn(stream: NodeJS.WriteStream, format: LogFormat, unit: string): SpokenSteps {
  let of = 0;
  let told = Number.NEGATIVE_INFINITY;
  const line = (event: string, text: string, counts = {}) =>
    stream.write(
      `${format === 'json' ? JSON.stringify({ time: new Date().toISOString(), event, text, ...counts }) : text}\n`,
    );
  const write = (event: string, done: number) => line(event, `${done}/${of} ${unit}`, { done, total: of });
  return {
    begin: (total) => {
      of = total;
      write('begin', 0);
    },
    advance: (done) => {
      const now = performance.now();
      if (now - told < LOG_EVERY_MS) return;
      told = now;
      write('progress', done);
    },
    end: () => {},
    say: (text) => line('note', text),
  };
}
