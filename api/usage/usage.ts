/** What a key has used on one day (UTC). */
export type Usage = {
  readonly requests: number;
  /** Requests with a status of 400 or more, such as those over the limit of the plan. */
  readonly refusals: number;
  readonly records: number;
  /** Bytes of response bodies as sent, after any compression. */
  readonly bytes: number;
};

export const MEASURES = [
  'requests',
  'refusals',
  'records',
  'bytes',
] as const satisfies readonly (keyof Usage)[];

/** A day such as `2024-01-31`, the id of a key, never the key. */
export type UsageOfDay = Usage & { readonly day: string; readonly key: string };

/** How long usage is kept. */
export const KEEP_DAYS = 400;

/** Stored next to the keys, in Redis or in files on one machine. */
export type UsageStore = {
  /**
   * Replaces what this process has written for a day, so that a repeated write counts once.
   *
   * @param usages all counts of the process for this day, by key id
   * @param changed the ids that have changed since the last write
   */
  replace(day: string, usages: ReadonlyMap<string, Usage>, changed: ReadonlySet<string>): Promise<void>;
  /** All days from this one on, ordered by day and id. */
  read(firstDay: string): Promise<readonly UsageOfDay[]>;
};

export const NONE: Usage = { requests: 0, refusals: 0, records: 0, bytes: 0 };

/** Adds in place. */
export function addUsage(usages: Map<string, Usage>, key: string, added: Usage): void {
  const before = usages.get(key) ?? NONE;
  usages.set(key, {
    requests: before.requests + added.requests,
    refusals: before.refusals + added.refusals,
    records: before.records + added.records,
    bytes: before.bytes + added.bytes,
  });
}

export function sortUsage(usages: readonly UsageOfDay[]): readonly UsageOfDay[] {
  return [...usages].sort((a, b) => a.day.localeCompare(b.day) || a.key.localeCompare(b.key));
}

/** The day this many days before today; 0 is today. */
export function dayBefore(days: number, now = Date.now()): string {
  return new Date(now - days * 86_400_000).toISOString().slice(0, 10);
}
