import { useEffect, useRef, useState } from 'htm/preact/standalone';
import { request, TransportError } from '../../../client/observations.js';
import { onKeyChange, readKey } from '../key.ts';
import { type Ask, pathOf } from './requests.ts';

/** The last answers by URL. */
const answers = new Map<string, unknown>();
// Answers that were read with a key are removed with it.
onKeyChange(() => answers.clear());

/** Shows this until the first answer arrives. */
export const setAnswer = <T>(ask: Ask<T>, data: T) => void answers.set(pathOf(ask), data);

/** The last answer, if there was one. */
export const lastAnswer = <T>(ask: Ask<T>) => answers.get(pathOf(ask)) as T | undefined;

/** The most requests of the page in a second, whatever the plan allows. */
const MOST_PER_SECOND = 10;
/** The limit of the plan, if it is lower, once an answer has given it. */
let perSecond = MOST_PER_SECOND;
/** The first request, which the others wait for, as its answer gives the limit. */
let first: Promise<unknown> | undefined;
/** The service counts a request before it answers: a second after the answer, that request is no longer counted. */
const WINDOW_MS = 1010;
/** When the last requests were answered. */
let answerTimes: readonly Promise<number>[] = [];
let turn: Promise<unknown> = Promise.resolve();

/** Whether a request is split into parts of 10,000 records: the plan of one request a second is not for bulk export. */
export const isInParts = () => perSecond === 1;

/** Waits until the limit of the plan allows another request: a browser reports each 429 in its console. */
async function waitForTurn(signal: AbortSignal | undefined, onWait: OnWait) {
  await first;
  if (signal?.aborted) return;
  const wait = ((await answerTimes.at(-perSecond)) ?? -WINDOW_MS) + WINDOW_MS - performance.now();
  if (wait <= 0) return;
  onWait?.(Math.ceil(wait / 1000));
  await new Promise((resolve) => setTimeout(resolve, wait));
}

/** Before each wait for the limit of the plan. */
type OnWait = ((seconds: number) => void) | undefined;

/** Sends a request when it is its turn, in page order, and again after the wait that the service asks for (429). */
export async function send(url: string, signal?: AbortSignal, onWait?: OnWait) {
  // The archive in numbers and the list of its stations need no key, and are not counted.
  if (url.startsWith('/v1/history/archive')) return requestOnce(url, signal, onWait);
  const own = turn.then(() => waitForTurn(signal, onWait));
  turn = own;
  await own;
  const sent = requestOnce(url, signal, onWait);
  first ??= sent.catch(() => undefined);
  const now = () => performance.now();
  if (!signal?.aborted) answerTimes = [...answerTimes.slice(1 - MOST_PER_SECOND), sent.then(now, now)];
  const { headers } = await sent;
  perSecond = Math.min(Number(headers.get('X-RateLimit-Limit') ?? perSecond), MOST_PER_SECOND);
  return sent;
}

async function requestOnce(url: string, signal?: AbortSignal, onWait?: OnWait) {
  // What the page sent before this script was loaded; if it failed, it is sent again.
  const { firstRequest } = globalThis as { firstRequest?: { url: string; response: Promise<Response> } };
  if (firstRequest?.url === url) {
    Object.assign(globalThis, { firstRequest: undefined });
    const response = await firstRequest.response.catch(() => undefined);
    if (response?.ok) return response;
  }
  // The browser revalidates each time and gets 304 if nothing has changed.
  return request(new URL(url, location.origin), {
    apiKey: readKey() ?? '',
    accept: '*/*',
    cache: 'no-cache',
    maxRetries: 0,
    signal,
    onWait,
  });
}

/** From one attempt to reach a service that is away to the next. */
const RETRY_MS = 10_000;

/** `data` is that of the last answer until the new one arrives. */
export type Answer<T = unknown> = ReturnType<typeof useAnswers<T>>[number];

/** The answers to those requests that are defined: at once the last ones, if the page had them, and then the new ones. */
export function useAnswers<T>(asks: readonly (Ask<T> | undefined)[]) {
  type State = { error?: unknown; isDone?: boolean; waitSeconds?: number };
  const [states, setStates] = useState<Readonly<Record<string, State>>>({});
  const sent = useRef(new Map<string, AbortController>()).current;
  const urls = asks.map((ask) => (ask === undefined ? '' : pathOf(ask)));
  const start = (url: string) => {
    const controller = new AbortController();
    const { signal } = controller;
    const set = (state: State) => !signal.aborted && setStates((all) => ({ ...all, [url]: state }));
    sent.set(url, controller);
    set({});
    send(url, signal, (waitSeconds) => set({ waitSeconds }))
      .then((response) => response.json())
      .then(({ data }) => {
        if (!signal.aborted) answers.set(url, data);
        set({ isDone: true });
      })
      .catch((error) => {
        set({ error, isDone: true });
        // The service may start again at any time.
        if (error instanceof TransportError) setTimeout(() => !signal.aborted && start(url), RETRY_MS);
      });
  };
  useEffect(() => {
    for (const [url, controller] of sent)
      if (!urls.includes(url)) {
        controller.abort();
        sent.delete(url);
      }
    for (const url of urls) if (url !== '' && !sent.has(url)) start(url);
  }, [urls.join(' ')]);
  useEffect(() => () => sent.forEach((controller) => void controller.abort()), []);
  return urls.map((url) => ({
    data: answers.get(url) as T | undefined,
    error: states[url]?.error,
    isLoading: url !== '' && states[url]?.isDone !== true,
    waitSeconds: states[url]?.waitSeconds,
    again: () => start(url),
  }));
}

export const useAnswer = <T>(ask: Ask<T> | undefined) => useAnswers([ask])[0] as Answer<T>;
