import { useEffect, useRef, useState } from 'htm/preact/standalone';
import { ProblemError, request, TransportError } from '../../../client/observations.js';
import { onKeyChange, readKey } from '../key.ts';
import { type Ask, pathOf } from './requests.ts';

/** The last answers by URL, and scripts by name. */
const answers = new Map<string, unknown>();
/** The first request: its answer tells the limit of the plan. */
let first: Promise<Response> | undefined;
/** The last request in the queue: with a plan of one request a second, requests are sent one second apart. */
let turn: Promise<unknown> = Promise.resolve();
let waiting = 0;
onKeyChange(() => {
  // Answers that were read with a key are removed with it.
  answers.clear();
  first = undefined;
});

/** Sets the data to show until the answer arrives. */
export const setAnswer = <T>(ask: Ask<T>, data: T) => void answers.set(pathOf(ask), data);

export const lastAnswer = <T>(ask: Ask<T>) => answers.get(pathOf(ask)) as T | undefined;

/** Called before each wait for the limit of the plan. */
type OnWait = ((seconds: number) => void) | undefined;

/** Sends a request as soon as the limit of the plan allows, and again where it is refused for the limit (429). */
export async function send(url: string, signal?: AbortSignal, onWait?: OnWait): Promise<Response> {
  const start = () => requestOnce(url, signal, onWait);
  // Requests for these paths are not counted.
  if (url.startsWith('/v1/history/archive')) return start();
  if (first === undefined) {
    first = start();
    turn = first.then(pause, pause);
    first.catch(() => {
      first = undefined;
    });
    return first;
  }
  const answer = await first.catch(() => undefined);
  if (answer?.headers.get('X-RateLimit-Limit') !== '1') return start();
  waiting += 1;
  onWait?.(waiting);
  const sent = turn.then(() => {
    waiting -= 1;
    signal?.throwIfAborted();
    return start();
  });
  turn = sent.then(pause, () => signal?.aborted || pause());
  return sent;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 1000));

async function requestOnce(url: string, signal?: AbortSignal, onWait?: OnWait) {
  // first-request.js has already sent this request; if that failed, it is sent again.
  const { firstRequest } = globalThis as { firstRequest?: { url: string; response: Promise<Response> } };
  if (firstRequest?.url === url) {
    Object.assign(globalThis, { firstRequest: undefined });
    const response = await firstRequest.response.catch(() => undefined);
    if (response?.ok) return response;
  }
  // The browser revalidates each time and gets 304 if nothing has changed.
  const options = { accept: '*/*', cache: 'no-cache', maxRetries: 0 } as const;
  return request(new URL(url, location.origin), { ...options, apiKey: readKey() ?? '', signal, onWait });
}

/** Milliseconds between attempts to reach a service that does not respond. */
const RETRY_MS = 10_000;

/** Whether the failure may end at any time, because the service or its storage does not respond. */
export const isAway = (error: unknown) =>
  error instanceof TransportError || (error instanceof ProblemError && error.status === 503);

export type Answer<T = unknown> = ReturnType<typeof useLoads<T>>[number];

type Load<T> = (url: string, signal: AbortSignal, onWait: OnWait) => Promise<T>;

/** Loads each URL that is not empty. `data` is what the page last had from this URL until the new answer arrives. */
function useLoads<T>(urls: readonly string[], load: Load<T>) {
  type State = { error?: unknown; isDone?: boolean; waitSeconds?: number };
  const [states, setStates] = useState<Readonly<Record<string, State>>>({});
  const sent = useRef(new Map<string, AbortController>()).current;
  const start = (url: string) => {
    const controller = new AbortController();
    const { signal } = controller;
    const set = (state: State) => !signal.aborted && setStates((all) => ({ ...all, [url]: state }));
    sent.set(url, controller);
    set({});
    load(url, signal, (waitSeconds) => set({ waitSeconds }))
      .then((data) => {
        if (!signal.aborted) answers.set(url, data);
        set({ isDone: true });
      })
      .catch((error) => {
        set({ error, isDone: true });
        if (isAway(error)) setTimeout(() => !signal.aborted && start(url), RETRY_MS);
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

/** The answers to those requests that are defined. */
export const useAnswers = <T>(asks: readonly (Ask<T> | undefined)[]) =>
  useLoads<T>(
    asks.map((ask) => (ask === undefined ? '' : pathOf(ask))),
    async (...request) => (await (await send(...request)).json()).data,
  );

export const useAnswer = <T>(ask: Ask<T> | undefined) => useAnswers([ask])[0] as Answer<T>;

/** A script that the first screen does not need. It is loaded when a view first wants it, and kept from then on. */
export function useModule<M>(name: string, load: () => Promise<M>, isWanted = true) {
  const wasWanted = useRef(false);
  wasWanted.current ||= isWanted;
  const [answer] = useLoads([wasWanted.current ? name : ''], () =>
    load().catch((cause) => {
      throw new TransportError('A part of the page could not be loaded', { cause });
    }),
  );
  return { ...answer, isLoading: answer?.data === undefined } as Answer<M>;
}
