import type { Redis } from 'ioredis';
import {
  dayBefore,
  KEEP_DAYS,
  MEASURES,
  sortUsage,
  type Usage,
  type UsageOfDay,
  type UsageStore,
} from './usage.ts';

/** One Redis hash for each day, with a field for each key and measure: `usage:2024-01-31`, `<id> requests`. */
const NAME_PREFIX = 'usage:';
const KEYS_AT_ONCE = 50;
const KEEP_SECONDS = KEEP_DAYS * 86_400;

/** Shared by all instances. A command that times out but is carried out counts twice. */
export function redisUsageStore(redis: Redis): UsageStore {
  return {
    async add(day, usages) {
      const entries = [...usages];
      for (let at = 0; at < entries.length; at += KEYS_AT_ONCE) {
        const commands = redis.multi();
        for (const [key, usage] of entries.slice(at, at + KEYS_AT_ONCE))
          for (const measure of MEASURES)
            if (usage[measure] > 0) commands.hincrby(NAME_PREFIX + day, `${key} ${measure}`, usage[measure]);
        commands.expire(NAME_PREFIX + day, KEEP_SECONDS);
        await commands.exec();
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
  const keys = new Set(Object.keys(fields).map((field) => field.slice(0, field.lastIndexOf(' '))));
  return [...keys].map((key) => {
    const measures = MEASURES.map((measure) => [measure, Number(fields[`${key} ${measure}`] ?? 0)]);
    return { day, key, ...(Object.fromEntries(measures) as Usage) };
  });
}
