import { timeLeft } from './bar-text.ts';
import type { Log } from './console.ts';
import type { Display, LogFormat, ProgressState } from './display.ts';

const LOG_INTERVAL_MS = 10_000;

/** Writes progress as lines, at most one in ten seconds, for a log or a file. */
export function logLines(write: Log, format: LogFormat, name?: string): Display {
  let current: (() => ProgressState) | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const line = (event: string, text: string, fields: ProgressState['fields'] = {}) =>
    write(formatLine(format, event, text, { source: name, ...fields }));
  return {
    begin: (state) => {
      current = state;
      const { total, unit, fields } = state();
      line('begin', `0/${total} ${unit}`, fields);
    },
    advance: () => {
      const now = performance.now();
      if (current === undefined || now - loggedAt < LOG_INTERVAL_MS) return;
      loggedAt = now;
      const state = current();
      const { finished, total, unit, details, fields } = state;
      line('progress', [`${finished}/${total} ${unit}`, timeLeft(state), ...details].join(', '), fields);
    },
    log: (text) => line('message', text),
    end: () => {},
  };
}

/** One line of output: the text, or JSON with the time, the event, the text and the fields. */
export function formatLine(
  format: LogFormat,
  event: string,
  text: string,
  fields: Readonly<Record<string, unknown>> & { readonly source?: string | undefined } = {},
): string {
  const { source } = fields;
  if (format === 'json') return JSON.stringify({ time: new Date().toISOString(), event, text, ...fields });
  return source === undefined ? text : `${source}: ${text}`;
}
