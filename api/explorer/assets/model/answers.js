import { request } from '/assets/client/observations.js';
import { useEffect, useState } from '/assets/htm/preact.js';
import { onKeyChange, readKey } from '../key.js';
import { pathOf } from './requests.js';

/** @typedef {import('./requests.js').Ask} Ask */

/**
 * @template T
 * @typedef {{
 *   data: T | undefined, error: unknown, isLoading: boolean, waitSeconds: number | undefined, again: () => void,
 * }} Answer `data` is that of the last answer until the new one arrives
 */

/** The longest answer to keep for the next load of the page, in characters: browsers store 5 million in all. */
const MOST_CHARACTERS = 400_000;
const STORED = 'answer ';

/** @type {Map<string, unknown>} */
const answers = new Map();

onKeyChange(() => {
  // Answers that were read with a key are removed with it.
  answers.clear();
  for (const name of Object.keys(sessionStorage))
    if (name.startsWith(STORED)) sessionStorage.removeItem(name);
});

/** The limit of the plan, once an answer has given it. */
let perSecond = 10;
let running = 0;
/** @type {(() => void)[]} */
const waiting = [];

/** Whether a request is split into parts of 10,000 records: the plan of one request a second is not for bulk export. */
export const isInParts = () => perSecond === 1;

/** With one request a second, requests wait for each other, so they are answered in page order. */
async function takePlace() {
  if (running >= (perSecond === 1 ? 1 : 6))
    await new Promise((resolve) => waiting.push(() => resolve(undefined)));
  running += 1;
}

function leavePlace() {
  running -= 1;
  waiting.shift()?.();
}

/**
 * Sends a request when it is its turn.
 *
 * @param {string} url
 * @param {AbortSignal} signal
 * @param {(seconds: number) => void} [onWait] before each wait for the limit of the plan
 */
export async function send(url, signal, onWait) {
  await takePlace();
  try {
    const apiKey = readKey() ?? '';
    // The browser revalidates each time and gets 304 if nothing has changed.
    const response = await request(new URL(url, location.origin), {
      apiKey,
      accept: '*/*',
      cache: 'no-cache',
      maxRetries: 0,
      signal,
      ...(onWait && { onWait }),
    });
    perSecond = Number(response.headers.get('X-RateLimit-Limit') ?? perSecond);
    return response;
  } finally {
    leavePlace();
  }
}

/**
 * The answer to a request: at once the last one, if the page had one, and then the new one.
 *
 * @template T
 * @param {Ask | undefined} ask if undefined, nothing is sent
 * @returns {Answer<T>}
 */
export function useAnswer(ask) {
  const url = ask && pathOf(ask);
  const [attempt, setAttempt] = useState(0);
  /** @type {[{ url?: string | undefined, error?: unknown, isDone?: boolean, waitSeconds?: number }, Function]} */
  const [state, setState] = useState({});
  useEffect(() => {
    if (url === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    setState({ url });
    send(url, signal, (waitSeconds) => setState({ url, waitSeconds }))
      .then((response) => response.text())
      .then(
        (text) => {
          if (signal.aborted) return;
          keep(url, text);
          setState({ url, isDone: true });
        },
        (error) => {
          if (!signal.aborted) setState({ url, error, isDone: true });
        },
      );
    return () => controller.abort();
  }, [url, attempt]);
  const current = state.url === url ? state : {};
  return {
    data: url === undefined ? undefined : /** @type {T | undefined} */ (recall(url)),
    error: current.error,
    isLoading: url !== undefined && current.isDone !== true,
    waitSeconds: current.waitSeconds,
    again: () => setAttempt(attempt + 1),
  };
}

/**
 * @param {string} url
 * @param {string} text
 */
function keep(url, text) {
  if (STORED + url in sessionStorage && sessionStorage.getItem(STORED + url) === text && answers.has(url))
    return;
  answers.set(url, JSON.parse(text).data);
  if (text.length > MOST_CHARACTERS) return;
  try {
    sessionStorage.setItem(STORED + url, text);
  } catch {
    // The storage is full: the next load of the page waits for its answer.
  }
}

/** @param {string} url */
function recall(url) {
  if (!answers.has(url)) {
    const text = sessionStorage.getItem(STORED + url);
    if (text !== null) answers.set(url, JSON.parse(text).data);
  }
  return answers.get(url);
}
