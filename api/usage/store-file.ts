import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, replaceFile } from '../../clickhouse/durable-file.ts';
import {
  addUsage,
  dayBefore,
  KEEP_DAYS,
  sortUsage,
  type Usage,
  type UsageOfDay,
  type UsageStore,
} from './usage.ts';

const NAME = /^(\d{4}-\d\d-\d\d)\.[0-9a-f]+\.json$/;

/**
 * The usage of one machine: a file for each day and process, `{"<id of the key>":{"requests":…}}`, which the process
 * replaces. So processes need no lock, and a reader adds up their files.
 */
export function fileUsageStore(folder: string): UsageStore {
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
      const days = new Map<string, Map<string, Usage>>();
      for (const { name, day } of await filesOf(folder)) {
        if (day < firstDay) continue;
        const usages = days.get(day) ?? new Map<string, Usage>();
        days.set(day, usages);
        const content = JSON.parse(await readFile(join(folder, name), 'utf8')) as Record<string, Usage>;
        for (const [key, usage] of Object.entries(content)) addUsage(usages, key, usage);
      }
      const rows = [...days].flatMap(([day, usages]) =>
        [...usages].map(([key, usage]): UsageOfDay => ({ day, key, ...usage })),
      );
      return sortUsage(rows);
    },
  };
}

async function filesOf(folder: string): Promise<readonly { readonly name: string; readonly day: string }[]> {
  const names = await readdir(folder).catch((error) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.flatMap((name) => {
    const day = NAME.exec(name)?.[1];
    return day === undefined ? [] : [{ name, day }];
  });
}

async function removeOldFiles(folder: string): Promise<void> {
  const firstKept = dayBefore(KEEP_DAYS);
  for (const { name, day } of await filesOf(folder))
    if (day < firstKept) await rm(join(folder, name), { force: true });
}
