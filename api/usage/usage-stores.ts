import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { makeFolder, replaceFile } from '../../clickhouse/durable-file.ts';
import {
  addUsage,
  dayBefore,
  KEEP_DAYS,
  MEASURES,
  type Usage,
  type UsageOfDay,
  type UsageStore,
} from './usage.ts';

/** @param usages by day and id of the key, as in `2024-01-31 4f1c` */
function toRows(usages: ReadonlyMap<string, Usage>): readonly UsageOfDay[] {
  const rows = [...usages].map(([name, usage]) => ({
    day: name.slice(0, 10),
    key: name.slice(11),
    ...usage,
  }));
  return rows.sort((a, b) => a.day.localeCompare(b.day) || a.key.localeCompare(b.key));
}

const FILE_NAME = /^(\d{4}-\d\d-\d\d)\.[0-9a-f]+\.json$/;

/** A file for each day and process, `{"<id of the key>":{"requests":…}}`; a reader adds them up, so processes need no lock. */
export function fileUsageStore(folder: string, onDamagedFile: (path: string) => void = () => {}): UsageStore {
  const process = randomBytes(6).toString('hex');
  let written: string | undefined;
  return {
    async replace(day, usages) {
      if (written !== day) await removeOldFiles(folder);
      await makeFolder(folder);
      const file = join(folder, `${day}.${process}.json`);
      await replaceFile(file, `${JSON.stringify(Object.fromEntries(usages))}\n`);
      written = day;
    },
    async read(firstDay) {
      const usages = new Map<string, Usage>();
      for (const { name, day } of await filesOf(folder)) {
        if (day < firstDay) continue;
        const path = join(folder, name);
        const content = parseUsages(await readFile(path, 'utf8'));
        if (content === undefined) onDamagedFile(path);
        for (const [key, usage] of Object.entries(content ?? {})) addUsage(usages, `${day} ${key}`, usage);
      }
      return toRows(usages);
    },
  };
}

async function filesOf(folder: string): Promise<readonly { readonly name: string; readonly day: string }[]> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const day = FILE_NAME.exec(name)?.[1];
    return day === undefined ? [] : [{ name, day }];
  });
}

/** Undefined unless it has a whole number for each measure of each key. */
function parseUsages(text: string): Readonly<Record<string, Usage>> | undefined {
  try {
    const usages = JSON.parse(text) as Readonly<Record<string, Usage>>;
    const isSound = Object.values(usages).every((usage) =>
      MEASURES.every((measure) => Number.isSafeInteger(usage[measure]) && usage[measure] >= 0),
    );
    return isSound ? usages : undefined;
  } catch {
    return undefined;
  }
}

/** Where as many later days have files too: a clock that is years ahead alone removes nothing. */
async function removeOldFiles(folder: string): Promise<void> {
  const files = await filesOf(folder);
  const days = [...new Set(files.map(({ day }) => day))].sort();
  const firstOfNewest = days.at(-KEEP_DAYS) ?? '';
  const firstKept = dayBefore(KEEP_DAYS);
  for (const { name, day } of files)
    if (day < firstKept && day < firstOfNewest) await rm(join(folder, name), { force: true });
}

/** One Redis hash per day, with a field per process, key and measure: `usage:2024-01-31`, `<process> <id> requests`. */
const USAGE_NAME_PREFIX = 'usage:';
const KEYS_AT_ONCE = 50;
const KEEP_SECONDS = KEEP_DAYS * 86_400;

/** Each instance replaces its own fields, and a reader adds them up. `onDamaged` gets the name of a value that is left out. */
export function redisUsageStore(redis: Redis, onDamaged: (name: string) => void = () => {}): UsageStore {
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
        const results = await redis
          .multi()
          .hset(USAGE_NAME_PREFIX + day, ...fields)
          .expire(USAGE_NAME_PREFIX + day, KEEP_SECONDS)
          .exec();
        // The promise resolves even where a command fails, as with a value of another type.
        const failure = results?.find(([error]) => error !== null)?.[0];
        if (failure) throw new Error(`${USAGE_NAME_PREFIX}${day}: ${failure.message}`, { cause: failure });
      }
    },
    async read(firstDay) {
      const usages = new Map<string, Usage>();
      for (let ago = 0; ago < KEEP_DAYS && dayBefore(ago) >= firstDay; ago += 1) {
        const day = dayBefore(ago);
        const fields = await redis.hgetall(USAGE_NAME_PREFIX + day).catch((error: Error) => {
          if (!error.message.startsWith('WRONGTYPE')) throw error;
          onDamaged(USAGE_NAME_PREFIX + day);
          return {};
        });
        for (const [field, value] of Object.entries(fields)) {
          const [, key = '', measure = ''] = field.split(' ');
          addUsage(usages, `${day} ${key}`, { [measure]: Number(value) });
        }
      }
      return toRows(usages);
    },
  };
}
