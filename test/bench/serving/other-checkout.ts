import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Api } from '../read/api.ts';

/** The api of another commit, over an archive that its own code built. */
export type OtherCheckout = {
  readonly commit: string;
  readonly api: Pick<Api, 'page'>;
  close(): Promise<void>;
};

/** `checkout` is a work tree with its packages installed. */
export async function openOtherCheckout(
  checkout: string,
  rows: number,
  dataDir: string,
): Promise<OtherCheckout> {
  const root = resolve(checkout);
  const load = (path: string) => import(pathToFileURL(join(root, path)).href);
  const { openBenchArchive }: typeof import('../read/archive.ts') = await load('test/bench/read/archive.ts');
  const { startApi }: typeof import('../read/api.ts') = await load('test/bench/read/api.ts');
  const commit = execFileSync('git', ['-C', root, 'log', '-1', '--format=%h'], { encoding: 'utf8' }).trim();
  // Two commits with the same schema must not share a folder: each starts an engine of its own.
  const archive = await openBenchArchive(rows, join(dataDir, 'other-checkout'));
  try {
    const api = await startApi(archive.engine);
    return {
      commit,
      api,
      async close() {
        await api.stop();
        await archive.close();
      },
    };
  } catch (error) {
    await archive.close();
    throw error;
  }
}
