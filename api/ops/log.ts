import type { IncomingMessage } from 'node:http';
import { KEY_PREFIX } from '../auth/api-key.ts';

type LogFields = Readonly<Record<string, unknown>>;

/** Writes one line of JSON an event. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, facts?: LogFields) => void;

/** A key can turn up anywhere in what a client sends, and must never reach a log. */
const KEYS = new RegExp(`${KEY_PREFIX}[A-Za-z0-9_-]+`, 'g');

/** @param common facts that every line shows */
export function createLog(write: (line: string) => void, common: LogFields = {}): Log {
  return (level, event, facts = {}) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...common, ...facts });
    write(`${line.replaceAll(KEYS, `${KEY_PREFIX}…`)}\n`);
  };
}

/** An error as a log shows it: with its stack, and with what caused it. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${formatError(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}

const notes = new WeakMap<IncomingMessage, LogFields>();

/** What a room learns of a request that its log line should show. */
export function addLogFields(request: IncomingMessage, facts: LogFields): void {
  notes.set(request, { ...notes.get(request), ...facts });
}

export function logFields(request: IncomingMessage): LogFields {
  return notes.get(request) ?? {};
}
