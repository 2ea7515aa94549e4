import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Archive } from '../../clickhouse/archive.ts';
import { openArchive } from '../../clickhouse/client.ts';
import { FIELD_COLUMNS } from '../../clickhouse/model/field-columns.ts';
import { demo } from '../../loader/sources/demo/demo.ts';
import { iem } from '../../loader/sources/iem/iem.ts';
import { loadWith } from '../support/loader/run-load.ts';
import { replayIem } from '../support/sources/replay-iem.ts';
import { readFolder } from '../support/sources/replay-iem-rows.ts';
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
    const loaded = await readDiskUsage(http, 'observations');
    for (const table of ['observations', 'coverage', 'stations', 'slices'])
      await http.command(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
    const merged = await readDiskUsage(http, 'observations');
    await createOneYear(http);
    const oneYear = await readDiskUsage(http, 'one_year');
    return {
      about: await describeArchive(engine),
      sections: [bytesPerReport({ loaded, merged, oneYear })],
    };
  } finally {
    await client.close();
    await engine.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Parts that take less in every state are left out. */
const SHOWN_BYTES = 0.005;
const MAX_BYTES = 75;

type States = Readonly<Record<'loaded' | 'merged' | 'oneYear', DiskUsage>>;

function bytesPerReport({ loaded, merged, oneYear }: States): Section {
  const figure = (what: string, of: (usage: DiskUsage) => number): Figure => ({
    what,
    measured: of(merged),
    unit: 'bytes',
    detail: `${of(loaded).toFixed(2)} after loading, ${of(oneYear).toFixed(2)} with all in one year`,
  });
  const names = new Set([loaded, merged, oneYear].flatMap(({ shares }) => [...shares.keys()]));
  const shares = [...names].map((name) => figure(name, (usage) => usage.shares.get(name) ?? 0));
  return {
    title: 'Bytes per report, fully merged',
    about:
      'All parts are wide, as those of a large archive. All in one year: the same reports with their times moved into one year, ' +
      'where reports of many stations follow each other as in a large archive.',
    figures: [
      { ...figure('total', ({ total }) => total), atMost: MAX_BYTES },
      ...shares.filter(({ measured }) => measured >= SHOWN_BYTES),
    ],
  };
}

async function loadDemo(client: Archive): Promise<void> {
  const stations = 'XAAA,XAAB,XAAC,XAAD,XAAE,XAAF,XAAG,XAAH';
  await loadWith(client, demo(), `--source demo --stations ${stations} --from 2023-01-01 --to 2025-01-01`);
}

async function loadFolder(client: Archive, folder: string): Promise<void> {
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
 * The same reports with all times in one year. In a large archive the reports of one minute are of many stations. Here a
 * year can have a single station, and then compresses better.
 */
async function createOneYear(http: HttpClient): Promise<void> {
  await http.command(`CREATE TABLE ${DATABASE}.one_year AS ${DATABASE}.observations`);
  await http.command(
    `INSERT INTO ${DATABASE}.one_year
     SELECT * REPLACE (addYears(observedAt, 2020 - toYear(observedAt)) AS observedAt) FROM ${DATABASE}.observations`,
  );
  await http.command(`OPTIMIZE TABLE ${DATABASE}.one_year FINAL`);
}

/** Bytes per report. */
type DiskUsage = {
  readonly reports: number;
  readonly total: number;
  /** By column of the table and of its projection, and by further table. */
  readonly shares: ReadonlyMap<string, number>;
};

const NAMES = [...FIELD_COLUMNS.keys()].map((name) => `'${name}'`).join(', ');
/** All decoded and derived fields count as one column. */
const COLUMN = `if(column IN (${NAMES}), 'decoded', column)`;
const ACTIVE = `active AND database = '${DATABASE}'`;
const OTHER_TABLES = ['coverage', 'stations', 'slices'];

/** @param observations the table that contains the reports */
async function readDiskUsage(http: HttpClient, observations: string): Promise<DiskUsage> {
  const columns = await readBytes(
    http,
    `SELECT ${COLUMN} AS name, sum(column_bytes_on_disk) FROM system.parts_columns
     WHERE ${ACTIVE} AND table = '${observations}' GROUP BY name ORDER BY name`,
  );
  const projection = await readBytes(
    http,
    `SELECT ${COLUMN} AS name, sum(column_bytes_on_disk) FROM system.projection_parts_columns
     WHERE ${ACTIVE} AND table = '${observations}' GROUP BY name ORDER BY name`,
  );
  const tables = await readBytes(
    http,
    `SELECT table, sum(bytes_on_disk) FROM system.parts WHERE ${ACTIVE} GROUP BY table ORDER BY table`,
  );
  const rest = (tables.get(observations) ?? 0) - sum(columns.values()) - sum(projection.values());
  const bytes = [
    ...[...columns].map(([name, each]) => [`table: ${name}`, each] as const),
    ...[...projection].map(([name, each]) => [`projection: ${name}`, each] as const),
    ['indexes, marks, checksums', rest] as const,
    ...OTHER_TABLES.map((name) => [name, tables.get(name) ?? 0] as const),
  ];
  const reports = Number(await http.command(`SELECT count() FROM ${DATABASE}.${observations} FORMAT TSV`));
  return {
    reports,
    total: sum(bytes.map(([, each]) => each)) / reports,
    shares: new Map(bytes.map(([name, each]) => [name, each / reports])),
  };
}

async function readBytes(http: HttpClient, statement: string): Promise<ReadonlyMap<string, number>> {
  const text = await http.command(`${statement} FORMAT TSV`);
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const [name = '', bytes] = line.split('\t');
      return [name, Number(bytes)];
    }),
  );
}
