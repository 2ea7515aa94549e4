import { randomBytes } from 'node:crypto';
import type { Redis } from 'ioredis';
import {
  addUsage,
  dayBefore,
  KEEP_DAYS,
  MEASURES,
  NONE,
  sortUsage,
  type Usage,
  type UsageOfDay,
  type UsageStore,
} from './usage.ts';

/** One Redis hash per day, with a field per process, key and measure: `usage:2024-01-31`, `<process> <id> requests`. */
const NAME_PREFIX = 'usage:';
const KEYS_AT_ONCE = 50;
const KEEP_SECONDS = KEEP_DAYS * 86_400;

/** Shared by all instances: each replaces its own fields, and a reader adds them up. */
export function redisUsageStore(redis: Redis): UsageStore {
  const process = randomBytes(6).toString('hex');
  return {
    async replace(day, usages, changed) {
      const entries = [...usages].filter(([key]) => changed.has(key));
      for (let at = 0; at < entries.length; at += KEYS_AT_ONCE) {
        const fields = entries
          .slice(at, at + KEYS_AT_ONCE)
          .flatMap(([key, usage]) =>
            MEASURES.flatMap((measure) => [`${process} ${key} ${measure}`, usage[measure]]),
          );
        await redis
          .multi()
          .hset(NAME_PREFIX + day, ...fields)
          .expire(NAME_PREFIX + day, KEEP_SECONDS)
          .exec();
      }
    },
    async read(firstDay) {
      const rows: UsageOfDay[] = [];
      for (let days = 0; days < KEEP_DAYS && dayBefore(days) >= firstDay; days += 1) {
        const day = dayBefore(days);
        rows.push(...toRows(day, await redis.hgetall(NAME_PREFIX + day)));
      }
      return sortUsage(rows);
    },
  };
}

function toRows(day: string, fields: Readonly<Record<string, string>>): readonly UsageOfDay[] {
  const usages = new Map<string, Usage>();
  for (const [field, value] of Object.entries(fields)) {
    const [, key = '', measure = ''] = field.split(' ');
    addUsage(usages, key, { ...NONE, [measure]: Number(value) });
  }
  return [...usages].map(([key, usage]) => ({ day, key, ...usage }));
}
