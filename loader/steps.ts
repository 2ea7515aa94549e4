import { Presets, SingleBar } from 'cli-progress';
import type { LogFormat } from './display.ts';

/** A log is told how far the work is no more often than this. */
const LOG_EVERY_MS = 10_000;

/** Shows how far a piece of work is whose steps are all alike. */
export type Steps = {
  readonly begin: (total: number) => void;
  readonly advance: (done: number) => void;
  readonly end: () => void;
};

/** @param unit what is counted, in the plural */
export function stepsOn(stream: NodeJS.WriteStream, format: LogFormat, unit: string): Steps {
  return format === 'text' && stream.isTTY ? barOn(stream, unit) : linesOn(stream, format, unit);
}

function barOn(stream: NodeJS.WriteStream, unit: string): Steps {
  const bar = new SingleBar(
    { stream, format: `{bar} {value}/{total} ${unit} · {eta_formatted} left`, noTTYOutput: false },
    Presets.shades_classic,
  );
  return {
    begin: (total) => bar.start(total, 0),
    advance: (done) => bar.update(done),
    end: () => bar.stop(),
  };
}

function linesOn(stream: NodeJS.WriteStream, format: LogFormat, unit: string): Steps {
  let of = 0;
  let told = Number.NEGATIVE_INFINITY;
  const write = (event: string, done: number) => {
    const text = `${done}/${of} ${unit}`;
    const line =
      format === 'json'
        ? JSON.stringify({ time: new Date().toISOString(), event, text, done, total: of })
        : text;
    stream.write(`${line}\n`);
  };
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
  };
}
