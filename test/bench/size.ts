import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive } from '../../clickhouse/client.ts';
import { FIELD_COLUMNS } from '../../clickhouse/model/field-columns.ts';
import { demo } from '../../loader/sources/demo/demo.ts';
import { iem } from '../../loader/sources/iem.ts';
import { loadWith } from '../support/loader/run-load.ts';
import { replayIem } from '../support/sources/replay-iem.ts';
import { readFolder } from '../support/sources/replay-iem-rows.ts';
import { withReplay } from '../support/sources/replay-server.ts';
import { DATABASE, describeArchive, openBenchEngine } from './engine.ts';
import type { HttpClient } from './http-client.ts';
import { type Figure, type Results, type Section, sum } from './results.ts';

/** Bytes per report on disk, of everything in the archive, written by the loader's own code. */
export async function benchSize({ folder }: { readonly folder: string }): Promise<Results> {
  const dataDir = await mkdtemp(join(tmpdir(), 'bench-size-'));
  const engine = await openBenchEngine(dataDir);
  const client = openArchive(engine.loader);
  const { http } = engine;
  try {
    // A year of a few stations would be stored in compact parts. In a large archive every year has wide parts.
    await http.command(`ALTER TABLE ${DATABASE}.observations MODIFY SETTING min_bytes_for_wide_part = 0`);
    await (folder === '' ? loadDemo(client) : loadFolder(client, folder));
    for (const table of ['observations', 'coverage', 'stations', 'slices'])
      await http.command(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
    return {
      about: await describeArchive(engine),
      sections: [await bytesPerReport(http)],
    };
  } finally {
    await client.close();
    await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Parts that take less are left out. */
const SHOWN_BYTES = 0.005;
const MAX_BYTES = 75;
const NAMES = [...FIELD_COLUMNS.keys()].map((name) => `'${name}'`).join(', ');

/** All decoded and derived fields count as one column. */
async function bytesPerReport(http: HttpClient): Promise<Section> {
  const ofColumns = (table: string, prefix: string) => `SELECT
      concat('${prefix}: ', if(column IN (${NAMES}), 'decoded', column)) AS name, sum(column_bytes_on_disk) AS bytes
    FROM system.${table} WHERE active AND database = '${DATABASE}' AND table = 'observations' GROUP BY name`;
  const text = await http.command(
    `SELECT name, bytes / (SELECT count() FROM ${DATABASE}.observations) FROM (
      ${ofColumns('parts_columns', 'table')} UNION ALL ${ofColumns('projection_parts_columns', 'projection')} UNION ALL
      SELECT table AS name, sum(bytes_on_disk) AS bytes FROM system.parts
      WHERE active AND database = '${DATABASE}' GROUP BY name
    ) ORDER BY name FORMAT TSV`,
  );
  const bytes = new Map(text.split('\n').map((line) => line.split('\t') as [string, string]));
  const tables = ['observations', 'coverage', 'stations', 'slices'];
  const figures = [...bytes].map(([what, each]): Figure => ({ what, measured: Number(each), unit: 'bytes' }));
  return {
    title: 'Bytes per report, fully merged',
    about: 'All parts are wide, as those of a large archive.',
    figures: [
      {
        what: 'total',
        measured: sum(tables.map((name) => Number(bytes.get(name) ?? 0))),
        unit: 'bytes',
        atMost: MAX_BYTES,
      },
      ...figures.filter(({ measured }) => measured >= SHOWN_BYTES),
    ],
  };
}

async function loadDemo(client: Archive): Promise<void> {
  const stations = 'XAAA,XAAB,XAAC,XAAD,XAAE,XAAF,XAAG,XAAH';
  await loadWith(client, demo(), `--source demo --stations ${stations} --from 2023-01-01 --to 2025-01-01`);
}

async function loadFolder(client: Archive, folder: string): Promise<void> {
  const rows = await readFolder(folder);
  await withReplay(replayIem(folder), async ({ url }) => {
    for (const [id, list] of rows) {
      const [first, last] = [list[0], list.at(-1)].map((row) => Number(row?.valid.slice(0, 4)));
      const station = id.length === 3 ? `K${id}` : id;
      const line = `--source iem --stations ${station} --from ${first}-01-01 --to ${Number(last) + 1}-01-01`;
      const { daysLeft, messages } = await loadWith(client, iem(url), line);
      if (daysLeft > 0) throw new Error(`${station}: ${messages.join('; ')}`);
    }
  });
}
