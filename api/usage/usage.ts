import { formatError, type Log } from '../ops/log.ts';

/** Refusals have a status of 400 or more. Bytes are those of response bodies as sent, after any compression. */
export const MEASURES = ['requests', 'refusals', 'records', 'bytes'] as const;

export type Usage = Readonly<Record<(typeof MEASURES)[number], number>>;

/** A day such as `2024-01-31`, the id of a key, never the key. */
export type UsageOfDay = Usage & { readonly day: string; readonly key: string };

export const KEEP_DAYS = 400;

/** Stored next to the keys, in Redis or in files on one machine. */
export type UsageStore = {
  /** Replaces all counts of this process for a day; `changed` are the ids of keys with others than those written last. */
  replace(day: string, usages: ReadonlyMap<string, Usage>, changed: ReadonlySet<string>): Promise<void>;
  /** All days from this one on, ordered by day and id. */
  read(firstDay: string): Promise<readonly UsageOfDay[]>;
};

export function addUsage(usages: Map<string, Usage>, key: string, added: Partial<Usage>): void {
  const before = usages.get(key);
  const sum = (measure: keyof Usage) => (before?.[measure] ?? 0) + (added[measure] ?? 0);
  usages.set(key, Object.fromEntries(MEASURES.map((measure) => [measure, sum(measure)])) as Usage);
}

export function dayBefore(days: number, now = Date.now()): string {
  return new Date(now - days * 86_400_000).toISOString().slice(0, 10);
}

/** A killed process loses at most the counts of this interval. */
const INTERVAL_MS = 5000;

export type UsageRecorder = ReturnType<typeof recordUsage>;

/** Writes every few seconds. If the store fails, the counts are kept, and the first failure of each series is logged. */
export function recordUsage(
  store: UsageStore,
  log: Log,
  intervalMs = INTERVAL_MS,
  now: () => number = Date.now,
) {
  const days = new Map<string, { readonly usages: Map<string, Usage>; readonly changed: Set<string> }>();
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
        if (!hasFailed) log.warn('usage not written', { error: formatError(error) });
        hasFailed = true;
        return;
      }
    }
  };
  const timer = setInterval(() => {
    writing = writing.then(write);
  }, intervalMs).unref();
  return {
    count(key: string, usage: Usage): void {
      const day = dayBefore(0, now());
      const counted = days.get(day) ?? { usages: new Map(), changed: new Set() };
      days.set(day, counted);
      addUsage(counted.usages, key, usage);
      counted.changed.add(key);
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
