import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

type Timer = { readonly at: number; readonly callback: () => void };

/**
 * In each test of a `describe`, `performance.now` and `setTimeout` by a clock that begins at 0 and that only the returned function
 * moves on, by milliseconds. (Node's own mock takes a timer of this test for that of an earlier one, which a client of HTTP may
 * clear meanwhile: a test then waited for ever.)
 */
export function useManualClock(): (ms: number) => Promise<void> {
  let now = 0;
  const timers = new Map<unknown, Timer>();
  beforeEach(() => {
    now = 0;
    timers.clear();
    const { clearTimeout } = globalThis;
    mock.method(performance, 'now', () => now);
    mock.method(globalThis, 'setTimeout', (callback: () => void, ms = 0) => {
      const timer = { ref: () => timer, unref: () => timer, refresh: () => timer, hasRef: () => true };
      timers.set(timer, { at: now + ms, callback });
      return timer;
    });
    mock.method(globalThis, 'clearTimeout', (timer: NodeJS.Timeout) => {
      if (!timers.delete(timer)) clearTimeout(timer);
    });
  });
  afterEach(() => mock.reset());
  return async (ms) => {
    now += ms;
    for (const [timer, { at, callback }] of [...timers].sort(([, one], [, other]) => one.at - other.at))
      if (at <= now && timers.delete(timer)) callback();
    await turn();
  };
}
