import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SCHEMA } from '../../../clickhouse/schema.ts';
import { withoutComments } from '../../../clickhouse/statements/sql.ts';
import { type BenchEngine, DATABASE, openBenchEngine } from '../embedded-engine.ts';
import { buildArchive } from './build/build-archive.ts';
import { type Layout, layoutOf } from './build/layout.ts';

export type BenchArchive = {
  readonly layout: Layout;
  readonly folder: string;
  readonly engine: BenchEngine;
  close(): Promise<void>;
};

/** Builds an archive of about `reports` reports in a folder of `dataDir`, or opens the one that an earlier run built. */
export async function openBenchArchive(reports: number, dataDir: string): Promise<BenchArchive> {
  const layout = layoutOf(reports);
  const folder = join(dataDir, `read-${reports}-${versionOf(layout)}`);
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
function versionOf({ copies, partRanges }: Layout): string {
  const hash = createHash('sha256').update(JSON.stringify([copies, partRanges]));
  // An edited comment must not rebuild an archive of 100 million reports.
  for (const { statement } of SCHEMA)
    hash.update(withoutComments(statement.replace(/COMMENT '(?:[^']|'')*'/g, '')).replace(/\s+/g, ' '));
  return hash.digest('hex').slice(0, 8);
}
