import { formatError, type Log } from '../ops/log.ts';

/** Refusals have a status of 400 or more. Bytes are those of response bodies as sent, after any compression. */
const MEASURES = ['requests', 'refusals', 'records', 'bytes'] as const;

export type Usage = Readonly<Record<(typeof MEASURES)[number], number>>;

/** A day such as `2024-01-31`, the id of a key, never the key. */
type UsageOfDay = Usage & { readonly day: string; readonly key: string };

export const KEEP_DAYS = 400;

/**
 * Next to the keys, in Redis or in files on one machine: for each day and process a text, `{"<id of the key>":{"requests":…}}`.
 * A process replaces its own, and a reader adds them up, so processes need no lock.
 */
export type UsageStore = {
  replace(day: string, text: string): Promise<void>;
  /** The texts of all days from this one on. `name` says where a text is stored. */
  read(firstDay: string): AsyncIterable<Readonly<Record<'day' | 'name' | 'text', string>>>;
};

function sumOf(before: Usage | undefined, added: Usage): Usage {
  const sum = (measure: keyof Usage) => (before?.[measure] ?? 0) + added[measure];
  return Object.fromEntries(MEASURES.map((measure) => [measure, sum(measure)])) as Usage;
}

/**
 * All days from this one on, ordered by day and id.
 *
 * @param onDamaged receives the name of a text that cannot be read and is left out
 */
export async function readUsage(store: UsageStore, firstDay: string, onDamaged: (name: string) => void) {
  const rows = new Map<string, UsageOfDay>();
  for await (const { day, name, text } of store.read(firstDay)) {
    const usages = parseUsages(text);
    if (usages === undefined) onDamaged(name);
    for (const [key, usage] of Object.entries(usages ?? {}))
      rows.set(`${day} ${key}`, { day, key, ...sumOf(rows.get(`${day} ${key}`), usage) });
  }
  return [...rows.values()].sort((a, b) => a.day.localeCompare(b.day) || a.key.localeCompare(b.key));
}

/** Undefined unless it has a whole number for each measure of each key. */
function parseUsages(text: string): Readonly<Record<string, Usage>> | undefined {
  try {
    const usages = JSON.parse(text) as Readonly<Record<string, Usage>>;
    if (typeof usages !== 'object') return undefined;
    const isSound = Object.values(usages).every((usage) =>
      MEASURES.every((measure) => Number.isSafeInteger(usage[measure]) && usage[measure] >= 0),
    );
    return isSound ? usages : undefined;
  } catch {
    return undefined;
  }
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
  const days = new Map<string, { readonly usages: Map<string, Usage>; isChanged: boolean }>();
  let hasFailed = false;
  let writing = Promise.resolve();
  const write = async () => {
    for (const [day, counted] of days) {
      // Yesterday is kept in case the clock is set back.
      if (!counted.isChanged && day < dayBefore(1, now())) days.delete(day);
      if (!counted.isChanged) continue;
      counted.isChanged = false;
      try {
        await store.replace(day, `${JSON.stringify(Object.fromEntries(counted.usages))}\n`);
        hasFailed = false;
      } catch (error) {
        counted.isChanged = true;
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
      const counted = days.get(day) ?? { usages: new Map<string, Usage>(), isChanged: true };
      days.set(day, counted);
      counted.usages.set(key, sumOf(counted.usages.get(key), usage));
      counted.isChanged = true;
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await writing.then(write);
    },
  };
}
