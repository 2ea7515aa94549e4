import { displayOn } from './bars.ts';
import type { ConsoleOutput } from './console.ts';
import type { Display, LogFormat } from './display.ts';

/** Shows the progress of work on standard error until it ends. */
export function showProgress<T>(
  output: ConsoleOutput,
  format: LogFormat,
  work: (display: Display) => Promise<T>,
): Promise<T> {
  const display = displayOn(process.stderr, format);
  return output.track(display.log, work(display).finally(display.end));
}
