import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';

/**
 * `performance.now` and `setTimeout` by a clock that only the returned function moves on, by milliseconds; it begins at 0 in each
 * test. (Node's mock of timers loses one where other code clears one of an earlier test: a test then waits for ever.)
 */
export function useManualClock(): (ms: number) => Promise<void> {
  let now: number;
  const timers = new Map<unknown, { readonly at: number; readonly callback: () => void }>();
  beforeEach(() => {
    now = 0;
    timers.clear();
    const { clearTimeout } = globalThis;
    mock.method(performance, 'now', () => now);
    mock.method(globalThis, 'setTimeout', (callback: () => void, ms = 0) => {
      const timer = { unref: () => timer, refresh: () => timer };
      timers.set(timer, { at: now + ms, callback });
      return timer;
    });
    mock.method(globalThis, 'clearTimeout', (one: NodeJS.Timeout) => timers.delete(one) || clearTimeout(one));
  });
  afterEach(() => mock.reset());
  return async (ms) => {
    now += ms;
    for (const [timer, { at, callback }] of [...timers].sort(([, one], [, other]) => one.at - other.at))
      if (at <= now && timers.delete(timer)) callback();
    await turn();
  };
}
