import { addUsage, dayBefore, type Usage, type UsageStore } from './usage.ts';

/** A killed process loses at most the counts of this interval. */
const INTERVAL_MS = 5000;

type UsageRecorder = {
  /** Counts a finished request. */
  count(key: string, usage: Usage): void;
  /** Writes the counts and ends. */
  stop(): Promise<void>;
};

/** The counts of the process for one day, and the ids whose counts are not all in the store yet. */
type Day = { readonly usages: Map<string, Usage>; readonly changed: Set<string> };

/**
 * Counts in the process and writes to the store every few seconds. If the store fails, the counts are kept for later.
 *
 * @param onError receives the first failure of each series of failures
 */
export function recordUsage(
  store: UsageStore,
  onError: (error: unknown) => void,
  intervalMs = INTERVAL_MS,
  now: () => number = Date.now,
): UsageRecorder {
  const days = new Map<string, Day>();
  let hasFailed = false;
  let writing = Promise.resolve();
  const write = async () => {
    for (const [day, { usages, changed }] of days) {
      // Yesterday is kept in case the clock is set back.
      if (changed.size === 0 && day < dayBefore(1, now())) days.delete(day);
      if (changed.size === 0) continue;
      const sent = new Set(changed);
      changed.clear();
      try {
        await store.replace(day, usages, sent);
        hasFailed = false;
      } catch (error) {
        for (const key of sent) changed.add(key);
        if (!hasFailed) onError(error);
        hasFailed = true;
        return;
      }
    }
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, intervalMs);
  timer.unref();
  return {
    count(key, usage) {
      const day = dayBefore(0, now());
      const counted = days.get(day) ?? { usages: new Map(), changed: new Set() };
      days.set(day, counted);
      addUsage(counted.usages, key, usage);
      counted.changed.add(key);
    },
    async stop() {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
