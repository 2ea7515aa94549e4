import { createHash } from 'node:crypto';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openArchive } from '../../../clickhouse/client.ts';
import { writeFor } from '../../../clickhouse/cluster.ts';
import { recordListings } from '../../../clickhouse/coverage/station-listings.ts';
import { DayMarks } from '../../../clickhouse/days/day-months.ts';
import { fillDays } from '../../../clickhouse/days/refresh.ts';
import { addDays } from '../../../clickhouse/model/day.ts';
import { ARCHIVE_TIMES } from '../../../clickhouse/model/time-window.ts';
import { insertRevisions } from '../../../clickhouse/observations/insert.ts';
import { migrate, SCHEMA } from '../../../clickhouse/schema.ts';
import { REPORT_TABLES } from '../../../clickhouse/statements/current-reports.ts';
import { withoutComments } from '../../../clickhouse/statements/sql.ts';
import { normalize } from '../../../loader/pipeline/normalize.ts';
import { reconcile } from '../../../loader/pipeline/reconcile.ts';
import { demo } from '../../../loader/sources/demo/demo.ts';
import { type BenchEngine, DATABASE, openBenchEngine } from '../engine.ts';
import type { HttpClient } from '../http-client.ts';
import { withAmounts } from './amounts.ts';
import {
  AMERICAN,
  type Layout,
  layoutOf,
  TEMPLATE_DAYS,
  TEMPLATE_START,
  TEMPLATES,
  YEARS,
} from './layout.ts';

export type BenchArchive = {
  readonly layout: Layout;
  readonly engine: BenchEngine;
  close(): Promise<void>;
};

/** Contains one year of each template station while an archive is built, and which station copies which of its days. */
const TEMPLATE_DATABASE = 'templates';

/** Builds an archive of about `reports` reports in a folder of `dataDir`, or opens the one that an earlier run built. */
export async function openBenchArchive(reports: number, dataDir: string): Promise<BenchArchive> {
  const layout = layoutOf(reports);
  const folder = join(dataDir, `read-${reports}-${versionOf(layout)}`);
  const done = join(folder, 'done.txt');
  const isBuilt = await stat(done).then(
    () => true,
    () => false,
  );
  if (!isBuilt) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const engine = await openBenchEngine(folder);
  try {
    if (!isBuilt) await buildArchive(engine, layout);
    await writeFile(done, '');
    // Every run measures the same parts.
    for (const table of REPORT_TABLES) await engine.http.command(`SYSTEM STOP MERGES ${DATABASE}.${table}`);
  } catch (error) {
    await engine.close();
    throw error;
  }
  return { layout, engine, close: () => engine.close() };
}

/** Another schema or another layout needs an archive of its own. */
function versionOf({ copies }: Layout): string {
  const hash = createHash('sha256').update(JSON.stringify(copies));
  // An edited comment must not rebuild an archive of 100 million reports.
  for (const { statement } of SCHEMA)
    hash.update(
      withoutComments(writeFor(undefined, statement).replace(/COMMENT '(?:[^']|'')*'/g, '')).replace(
        /\s+/g,
        ' ',
      ),
    );
  return hash.digest('hex').slice(0, 8);
}

/**
 * Fills an archive: some station-years pass through decoder and loader, and the engine copies them to all stations and
 * years, so that most of the time goes into writing parts. The copies are ordinary reports: `raw` has the station and
 * the time of the row, `fingerprint` is that of `raw`, and `decoded` agrees with `raw`. At the end all parts of a year
 * are merged, as in an archive that nothing is written to.
 */
async function buildArchive(engine: BenchEngine, layout: Layout): Promise<void> {
  const { http } = engine;
  process.stderr.write('building an archive\n');
  await loadTemplates(engine, layout);
  await recordCoverage(engine, layout);
  // The loader's compression would take most of the time of a build. This one makes the archive larger and its pages no
  // faster.
  for (const table of REPORT_TABLES)
    await http.command(
      `ALTER TABLE ${DATABASE}.${table} MODIFY SETTING default_compression_codec = 'ZSTD(1)'`,
    );
  await inParallel(YEARS, (year) => copyYear(http, year));
  const partitions = await http.command(
    `SELECT DISTINCT concat(table, ' PARTITION ', partition) FROM system.parts
      WHERE active AND database = '${DATABASE}' AND table IN ('${REPORT_TABLES.join("', '")}') FORMAT TSVRaw`,
  );
  await inParallel(partitions.split('\n'), (partition) =>
    http.command(
      `OPTIMIZE TABLE ${DATABASE}.${partition} FINAL SETTINGS optimize_skip_merged_partitions = 1`,
    ),
  );
  process.stderr.write('computing days\n');
  const client = openArchive(engine.loader);
  await fillDays(client);
  await client.close();
  for (const table of ['coverage', 'stations', 'slices', 'days', 'day_months'])
    await http.command(`OPTIMIZE TABLE ${DATABASE}.${table} FINAL`);
  await http.command(`DROP DATABASE ${TEMPLATE_DATABASE}`);
}

/** One at a time on each core. */
async function inParallel<T>(values: readonly T[], work: (value: T) => Promise<unknown>): Promise<void> {
  const queue = values.values();
  const lanes = Array.from({ length: availableParallelism() }, async () => {
    for (const value of queue) await work(value);
  });
  await Promise.all(lanes);
}

async function loadTemplates({ admin, http }: BenchEngine, { copies }: Layout): Promise<void> {
  const settings = { ...admin, database: TEMPLATE_DATABASE };
  await migrate(settings);
  const client = openArchive(settings);
  const [source, endDay] = [demo(), addDays(TEMPLATE_START, TEMPLATE_DAYS)];
  for (const station of [...TEMPLATES, AMERICAN]) {
    const body = source.generate({ source: 'demo', station, firstDay: TEMPLATE_START, endDay });
    const { reports } = normalize(station === AMERICAN ? { ...body, rows: withAmounts(body.rows) } : body);
    const { revisions } = reconcile('demo', reports, [], ARCHIVE_TIMES);
    await insertRevisions(client, [...revisions], new DayMarks(client, 'templates'));
  }
  await client.close();
  await http.command(`CREATE TABLE ${TEMPLATE_DATABASE}.copies
    (station String, template String, shift UInt32, firstDay Date, endDay Date, hours UInt8) ENGINE = Memory`);
  const rows = copies.map((copy) => JSON.stringify(copy)).join('\n');
  await http.command(`INSERT INTO ${TEMPLATE_DATABASE}.copies FORMAT JSONEachRow\n${rows}`);
}

/** The ledger of a loader that loaded all 21 years of every station: years without reports are done too. */
async function recordCoverage({ loader }: BenchEngine, { stations }: Layout): Promise<void> {
  const client = openArchive(loader);
  const slices = stations.flatMap((station) =>
    YEARS.map((year) => ({
      source: 'demo',
      station,
      firstDay: `${year}-01-01`,
      doneDay: `${year + 1}-01-01`,
      endDay: `${year + 1}-01-01`,
      reports: 0,
      inserted: 0,
      skipped: {},
    })),
  );
  await client.insert({ table: 'slices', rows: slices });
  await recordListings(client, demo().list(stations).listings);
  await client.close();
}

/**
 * One block makes one part. Rows are read station by station and hour by hour, which saves sorting the projection; sorting
 * a larger block costs more than twice as much a row, because it exceeds the cache of the processor.
 */
const COPY_SETTINGS =
  'max_threads=1&max_insert_threads=1&join_algorithm=hash&query_plan_join_swap_table=false' +
  '&min_insert_block_size_rows=1200000&min_insert_block_size_bytes=100000000000&wait_end_of_query=1';

/**
 * Copies the reports of one year to the stations of the archive. The stored text of a template has no station and time of
 * its own; what follows them begins at character 19.
 */
async function copyYear(http: HttpClient, year: number): Promise<void> {
  const [firstDay, endDay] = [`toDate('${year}-01-01')`, `toDate('${year + 1}-01-01')`];
  await http.query(
    `INSERT INTO ${DATABASE}.observations
SELECT report.* REPLACE (
    copyStation AS station,
    copyTime AS observedAt,
    reinterpretAsUInt32(reverse(substring(SHA256(body), 1, 4))) AS fingerprint)
EXCEPT (copyStation, copyTime, body)
FROM
(
    SELECT
        original.*,
        copyStation,
        toDateTime(copied.day, 'UTC') + toUnixTimestamp(original.observedAt) % 86400 AS copyTime,
        concat(copyStation, ' ', formatDateTime(copyTime, '%d%H%iZ'), substring(original.text, 19)) AS body
    FROM
    (
        SELECT
            station AS copyStation,
            template,
            hours,
            day::UInt16::Date AS day,
            (day + shift) % ${TEMPLATE_DAYS} AS templateDay
        FROM ${TEMPLATE_DATABASE}.copies
        ARRAY JOIN range(
            toUInt32(greatest(firstDay, ${firstDay})),
            toUInt32(greatest(firstDay, ${firstDay}, least(endDay, ${endDay})))) AS day
    ) AS copied
    INNER JOIN ${TEMPLATE_DATABASE}.observations AS original
        ON original.station = copied.template
        AND toUInt32(toDate(original.observedAt) - toDate('${TEMPLATE_START}')) = copied.templateDay
    WHERE toHour(original.observedAt) < copied.hours
) AS report`,
    COPY_SETTINGS,
  );
  await http.query(
    `INSERT INTO ${DATABASE}.station_observations SELECT * FROM ${DATABASE}.observations WHERE toYear(observedAt) = ${year}`,
    COPY_SETTINGS,
  );
}
