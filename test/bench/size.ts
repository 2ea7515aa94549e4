import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { ClickHouseClient } from '@clickhouse/client';
import { openArchive } from '../../clickhouse/client.ts';
import { joinEngine } from '../../clickhouse/embedded/join.ts';
import { migrate } from '../../clickhouse/migrate.ts';
import { demo } from '../../loader/sources/demo/demo.ts';
import { iem } from '../../loader/sources/iem/iem.ts';
import { replayIem } from '../support/replay-iem.ts';
import { readFolder } from '../support/replay-iem-rows.ts';
import { loadWith } from '../support/run-load.ts';
import { type Asker, openAsker } from './ask.ts';
import { finish } from './document.ts';
import { machine } from './machine.ts';
import { measureSize, sizeTable } from './size-measure.ts';

const DATABASE = 'history';

/** Bytes per report on disk, of everything that the archive keeps, loaded as the loader loads it. */
export async function benchSize(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { write: { type: 'string' } },
    allowPositionals: true,
  });
  const [folder] = positionals;
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-size-'));
  const joined = await joinEngine({ dataDir, port: 0 });
  const settings = { url: joined.url, username: 'default', password: '', database: DATABASE };
  const client = openArchive(settings);
  const engine = openAsker(joined.url);
  try {
    await migrate(settings);
    // A year of a few stations is too small to be stored column by column, as every year of a large archive is.
    await engine.command(`ALTER TABLE ${DATABASE}.observations MODIFY SETTING min_bytes_for_wide_part = 0`);
    await (folder === undefined ? loadDemo(client) : loadFolder(client, folder));
    const asMerged = await measureSize(engine, DATABASE, 'observations');
    for (const table of ['observations', 'coverage', 'stations', 'slices'])
      await engine.command(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
    const merged = await measureSize(engine, DATABASE, 'observations');
    await asOneYear(engine);
    const interleaved = await measureSize(engine, DATABASE, 'one_year');
    await finish(values.write, [
      await machine(
        { engine, database: DATABASE },
        'Bytes on disk, measured',
        `size${folder ? ' FOLDER' : ''}`,
      ),
      sizeTable([
        { name: 'as merges left it', size: asMerged },
        { name: 'fully merged', size: merged },
        { name: 'all in one year', size: interleaved },
      ]),
    ]);
  } finally {
    engine.close();
    await client.close();
    await joined.leave();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function loadDemo(client: ClickHouseClient): Promise<void> {
  const stations = 'XAAA,XAAB,XAAC,XAAD,XAAE,XAAF,XAAG,XAAH';
  await loadWith(client, demo(), `--source demo --stations ${stations} --from 2023-01-01 --to 2025-01-01`);
}

async function loadFolder(client: ClickHouseClient, folder: string): Promise<void> {
  const rows = await readFolder(folder);
  const replay = await replayIem({ folder });
  try {
    for (const [id, list] of rows) {
      const [first, last] = [list[0], list.at(-1)].map((row) => Number(row?.valid.slice(0, 4)));
      const station = id.length === 3 ? `K${id}` : id;
      const line = `--source iem --stations ${station} --from ${first}-01-01 --to ${Number(last) + 1}-01-01`;
      const { daysLeft, messages } = await loadWith(client, iem(replay.url), line);
      if (daysLeft > 0) throw new Error(`${station}: ${messages.join('; ')}`);
    }
  } finally {
    await replay.close();
  }
}

/**
 * The same reports as if all were of one year. In a large archive the reports of a minute stand between those of other
 * stations; here each station may have a year for itself, which compresses better.
 */
async function asOneYear(engine: Asker): Promise<void> {
  await engine.command(`CREATE TABLE ${DATABASE}.one_year AS ${DATABASE}.observations`);
  await engine.command(
    `INSERT INTO ${DATABASE}.one_year
     SELECT * REPLACE (addYears(observedAt, 2020 - toYear(observedAt)) AS observedAt) FROM ${DATABASE}.observations`,
  );
  await engine.command(`OPTIMIZE TABLE ${DATABASE}.one_year FINAL`);
}
