import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { formatMs, formatRatio, type Times } from '../results.ts';
import { type Api, cpuClock } from './api.ts';
import type { ReadOptions } from './read.ts';

/** The api of another commit over an archive that its own code built. */
export type Other = {
  readonly name: string;
  readonly api: Pick<Api, 'page' | 'download'>;
  readonly cpu: () => Promise<number>;
  close(): Promise<void>;
};

/** None where no option names one. The other checkout is a work tree with its packages installed. */
export async function openOther(options: ReadOptions): Promise<Other | undefined> {
  if (options.against === '') return undefined;
  const root = resolve(options.against);
  const load = (path: string) => import(pathToFileURL(join(root, path)).href);
  const { openBenchArchive }: typeof import('./archive.ts') = await load('test/bench/read/archive.ts');
  const { startApi }: typeof import('./api.ts') = await load('test/bench/read/api.ts');
  const commit = execFileSync('git', ['-C', root, 'log', '-1', '--format=%h'], { encoding: 'utf8' }).trim();
  // Two commits with the same schema must not share a folder: each starts an engine of its own.
  const archive = await openBenchArchive(Number(options.rows), join(options.data, 'other'));
  try {
    const api = await startApi(archive.engine);
    const close = async () => {
      await api.stop();
      await archive.close();
    };
    return { name: commit, api, cpu: cpuClock(api, archive.engine), close };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

/** The median of the other api, and its ratio to that of this api; nothing if there is no other. */
export function comparedWith(other: Other | undefined, times: Times, name: string): string {
  if (other === undefined) return '';
  const ms = times.median(`other ${name}`);
  return `; ${other.name} ${formatMs(ms)} (${formatRatio(ms / times.median(name))})`;
}
