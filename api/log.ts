import type { IncomingMessage } from 'node:http';
import { KEY_PREFIX } from './key.ts';

type Facts = Readonly<Record<string, unknown>>;

/** Writes one line of JSON an event. */
export type Log = (level: 'info' | 'warn' | 'error', event: string, facts?: Facts) => void;

/** A key can turn up anywhere in what a client sends, and must never reach a log. */
const KEYS = new RegExp(`${KEY_PREFIX}[A-Za-z0-9_-]+`, 'g');

/** @param common facts that every line shows */
export function logTo(write: (line: string) => void, common: Facts = {}): Log {
  return (level, event, facts = {}) => {
    const line = JSON.stringify({ time: new Date().toISOString(), level, event, ...common, ...facts });
    write(`${line.replaceAll(KEYS, `${KEY_PREFIX}…`)}\n`);
  };
}

/** An error as a log shows it: with its stack, and with what caused it. */
export function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : `\ncaused by ${told(error.cause)}`;
  return (error.stack ?? error.message) + cause;
}

const notes = new WeakMap<IncomingMessage, Facts>();

/** What a room learns of a request that its log line should show. */
export function note(request: IncomingMessage, facts: Facts): void {
  notes.set(request, { ...notes.get(request), ...facts });
}

export function notesOf(request: IncomingMessage): Facts {
  return notes.get(request) ?? {};
}
