import { addUsage, dayBefore, type Usage, type UsageStore } from './usage.ts';

/** A process that is killed loses at most what it counted in this time. */
const INTERVAL_MS = 5000;

type UsageRecorder = {
  /** Counts a request that is over. */
  count(key: string, usage: Usage): void;
  /** Writes what was counted, and ends. */
  stop(): Promise<void>;
};

/** What the process has counted on one day, and the ids of which the store does not have all. */
type Day = { readonly usages: Map<string, Usage>; readonly changed: Set<string> };

/**
 * Counts in the process, and writes to the store every few seconds. While the store fails, the counts wait for it.
 *
 * @param onError receives the first failure of each row of failures
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
      // Yesterday stays for a clock that is set back.
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
