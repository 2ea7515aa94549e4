import { addUsage, dayBefore, type Usage, type UsageStore } from './usage.ts';

/** A process that is killed loses at most what it counted in this time. */
const INTERVAL_MS = 5000;

type UsageRecorder = {
  /** Counts a request that is over. */
  count(key: string, usage: Usage): void;
  /** Writes what was counted, and ends. */
  stop(): Promise<void>;
};

/**
 * Counts in the process, and adds to the store every few seconds. While the store fails, the counts wait for it.
 *
 * @param onError receives the first failure of each row of failures
 */
export function recordUsage(
  store: UsageStore,
  onError: (error: unknown) => void,
  intervalMs = INTERVAL_MS,
): UsageRecorder {
  const days = new Map<string, Map<string, Usage>>();
  let hasFailed = false;
  let writing = Promise.resolve();
  const write = async () => {
    for (const [day, usages] of days) {
      days.delete(day);
      try {
        await store.add(day, usages);
        hasFailed = false;
      } catch (error) {
        const since = days.get(day) ?? new Map<string, Usage>();
        for (const [key, usage] of usages) addUsage(since, key, usage);
        days.set(day, since);
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
      const day = dayBefore(0);
      const usages = days.get(day) ?? new Map<string, Usage>();
      days.set(day, usages);
      addUsage(usages, key, usage);
    },
    async stop() {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
