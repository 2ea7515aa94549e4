import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Redis } from 'ioredis';
import { makeFolder, replaceFile } from '../../clickhouse/durable-file.ts';
import { dayBefore, KEEP_DAYS, type UsageStore } from './usage.ts';

const FILE_NAME = /^(\d{4}-\d\d-\d\d)\.[0-9a-f]+\.json$/;

/** A file for each day and process. */
export function fileUsageStore(folder: string): UsageStore {
  const process = randomBytes(6).toString('hex');
  let written: string | undefined;
  return {
    async replace(day, text) {
      if (written !== day) await removeOldFiles(folder);
      await makeFolder(folder);
      await replaceFile(join(folder, `${day}.${process}.json`), text);
      written = day;
    },
    async *read(firstDay) {
      for (const { name, day } of await filesOf(folder))
        if (day >= firstDay) yield { day, name, text: await readFile(name, 'utf8') };
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
    return day === undefined ? [] : [{ name: join(folder, name), day }];
  });
}

/** Removes a day's files only if enough later days have files too, so that a clock that is years ahead removes nothing. */
async function removeOldFiles(folder: string): Promise<void> {
  const files = await filesOf(folder);
  const days = [...new Set(files.map(({ day }) => day))].sort();
  const firstOfNewest = days.at(-KEEP_DAYS) ?? '';
  const firstKept = dayBefore(KEEP_DAYS);
  for (const { name, day } of files)
    if (day < firstKept && day < firstOfNewest) await rm(name, { force: true });
}

const USAGE_NAME_PREFIX = 'usage:';
const KEEP_SECONDS = KEEP_DAYS * 86_400;

/** A Redis hash for each day, as `usage:2024-01-31`, with a field for each process. */
export function redisUsageStore(redis: Redis): UsageStore {
  const process = randomBytes(6).toString('hex');
  return {
    async replace(day, text) {
      const name = USAGE_NAME_PREFIX + day;
      const results = await redis.multi().hset(name, process, text).expire(name, KEEP_SECONDS).exec();
      // The promise resolves even where a command fails, as with a value of another type.
      const failure = results?.find(([error]) => error !== null)?.[0];
      if (failure) throw new Error(`${name}: ${failure.message}`, { cause: failure });
    },
    async *read(firstDay) {
      for (let ago = 0; ago < KEEP_DAYS && dayBefore(ago) >= firstDay; ago += 1) {
        const day = dayBefore(ago);
        const name = USAGE_NAME_PREFIX + day;
        const texts = await redis.hgetall(name).then(Object.values<string>, (error: Error) => {
          if (!error.message.startsWith('WRONGTYPE')) throw error;
          // A value of another type is damaged, as an empty text is.
          return [''];
        });
        for (const text of texts) yield { day, name, text };
      }
    },
  };
}
