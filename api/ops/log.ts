import { KEY_PREFIX } from '../key-prefix.ts';

type LogFields = Readonly<Record<string, unknown>>;

/** Writes one line of JSON per event. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, fields?: LogFields) => void;

/**
 * A client can send its key in any part of a request, but no key may reach a log. In a path any character can be
 * percent-encoded, even more than once: `_`, `%5F`, `%255f`.
 */
const KEYS = new RegExp(
  `${[...KEY_PREFIX].map(spellings).join('')}(?:[A-Za-z0-9_-]|%(?:25)*[0-9A-Fa-f]{2})+`,
  'g',
);

function spellings(character: string): string {
  const hex = Buffer.from(character).toString('hex').replace('f', '[Ff]');
  return `(?:${character}|%(?:25)*${hex})`;
}

/** @param commonFields fields that every line has */
export function createLog(write: (line: string) => void, commonFields: LogFields = {}): Log {
  return (level, event, fields = {}) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...commonFields, ...fields });
    write(`${line.replaceAll(KEYS, `${KEY_PREFIX}…`)}\n`);
  };
}

/** An error with its stack and its causes, for a log. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${formatError(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}
