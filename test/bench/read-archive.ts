import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { joinOpenEngine } from '../support/engine.ts';
import { type Asker, openAsker } from './ask.ts';
import { build } from './read-build.ts';
import { type Layout, layoutOf } from './read-layout.ts';

export type BuiltArchive = {
  /** As asked for; the archive holds about so many. */
  readonly reports: number;
  readonly layout: Layout;
  readonly folder: string;
  readonly url: string;
  /** Statements straight to the engine. */
  readonly engine: Asker;
  readonly database: string;
  close(): Promise<void>;
};

const DATABASE = 'history';
const SCHEMA = fileURLToPath(new URL('../../clickhouse/schema', import.meta.url));

/** Builds the archive of so many reports in a folder of `dataDir`, or uses the one that a run before has left. */
export async function openBuilt(reports: number, dataDir: string): Promise<BuiltArchive> {
  const layout = layoutOf(reports);
  const folder = join(dataDir, `read-${reports}-${await kindOf(layout)}`);
  await mkdir(folder, { recursive: true });
  const joined = await joinOpenEngine(folder);
  const engine = openAsker(joined.url);
  const close = async () => {
    engine.close();
    await joined.leave();
  };
  try {
    await build({ url: joined.url, engine, folder, database: DATABASE }, layout);
    // Its parts stay as they were measured before.
    await engine.command(`SYSTEM STOP MERGES ${DATABASE}.observations`);
  } catch (error) {
    await close();
    throw error;
  }
  return { reports, layout, folder, url: joined.url, engine, database: DATABASE, close };
}

/** Another schema or another layout makes another archive. */
async function kindOf(layout: Layout): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([layout.pieces, layout.stretches]));
  for (const name of (await readdir(SCHEMA)).sort()) hash.update(await readFile(join(SCHEMA, name)));
  return hash.digest('hex').slice(0, 8);
}
