import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchEngine, DATABASE, openBenchEngine } from '../embedded-engine.ts';
import { buildArchive } from './build/build-archive.ts';
import { type Layout, layoutOf } from './build/layout.ts';

export type BenchArchive = {
  readonly layout: Layout;
  readonly folder: string;
  readonly engine: BenchEngine;
  close(): Promise<void>;
};

const SCHEMA = fileURLToPath(new URL('../../../clickhouse/schema', import.meta.url));

/** Builds an archive of about `reports` reports in a folder of `dataDir`, or opens the one that an earlier run built. */
export async function openBenchArchive(reports: number, dataDir: string): Promise<BenchArchive> {
  const layout = layoutOf(reports);
  const folder = join(dataDir, `read-${reports}-${await versionOf(layout)}`);
  await mkdir(folder, { recursive: true });
  const engine = await openBenchEngine(folder);
  try {
    await buildArchive(engine, folder, layout);
    // Every run measures the same parts.
    await engine.http.command(`SYSTEM STOP MERGES ${DATABASE}.observations`);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { layout, folder, engine, close: () => engine.close() };
}

/** Another schema or another layout needs an archive of its own. */
async function versionOf({ copies, partRanges }: Layout): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([copies, partRanges]));
  for (const name of (await readdir(SCHEMA)).sort())
    hash.update(withoutComments(await readFile(join(SCHEMA, name), 'utf8')));
  return hash.digest('hex').slice(0, 8);
}

/** An edited comment must not rebuild an archive of 100 million reports. */
function withoutComments(statement: string): string {
  return statement
    .replace(/'(?:[^'\\]|\\.)*'|--.*|\/\*[\s\S]*?\*\//g, (match) => (match.startsWith("'") ? match : ' '))
    .replace(/\s+/g, ' ')
    .trim();
}
