import { timeLeft } from './bar-text.ts';
import type { Log } from './console.ts';
import type { Display, LogFormat, ProgressState } from './display.ts';

const LOG_INTERVAL_MS = 10_000;

/** Writes progress as lines, at most one in ten seconds, for a log or a file. */
export function logLines(write: Log, format: LogFormat, name?: string): Display {
  let current: (() => ProgressState) | undefined;
  let loggedAt = Number.NEGATIVE_INFINITY;
  const line = (event: string, text: string, fields: ProgressState['fields'] = {}) => {
    const time = new Date().toISOString();
    if (format === 'json') write(JSON.stringify({ time, event, source: name, text, ...fields }));
    else write(name === undefined ? text : `${name}: ${text}`);
  };
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
