import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openArchive } from '../../clickhouse/client.ts';
import { listStations } from '../../clickhouse/coverage/station-listings.ts';
import { migrate } from '../../clickhouse/migrate.ts';
import { demo } from '../../loader/sources/demo/demo.ts';
import type { Asker } from './ask.ts';
import { type Layout, type Stretch, TEMPLATE_DAYS, TEMPLATE_START, TEMPLATES, YEARS } from './read-layout.ts';

type Place = {
  readonly url: string;
  readonly engine: Asker;
  readonly folder: string;
  readonly database: string;
};

/** Holds a year of some stations, loaded as any reports are, while archives are made from them. */
const MADE_FROM = 'templates';
const WORKER = fileURLToPath(new URL('./read-worker.ts', import.meta.url));

/**
 * Fills an archive: some station-years go through decoder and loader, and the engine then copies them to all stations
 * and years, so that most of the time goes into writing parts. Copies are reports like any other: the text has the
 * station and the time of the row, the fingerprint is the text's, and `decoded` says what the text says. In the end
 * parts are merged, as those of an archive at rest have been.
 *
 * What is done is noted stretch by stretch, so that a build that was cut off goes on where it was.
 */
export async function build(place: Place, layout: Layout): Promise<void> {
  const { url, engine, folder, database } = place;
  const notes = join(folder, 'done.txt');
  const done = new Set((await readFile(notes, 'utf8').catch(() => '')).split('\n'));
  if (done.has('all')) return;
  const started = performance.now();
  const seconds = () => Math.round((performance.now() - started) / 1000);
  for (const each of [database, MADE_FROM])
    await migrate({ url, username: 'default', password: '', database: each });
  if (!done.has('templates')) {
    await makeTemplates(url);
    await enterPieces(place, layout);
    await enterLedger(place, layout);
    await appendFile(notes, 'templates\n');
    process.stderr.write(`building: templates after ${seconds()} s\n`);
  }
  await engine.command(`SYSTEM STOP MERGES ${database}.observations`);
  // Compressing as hard as a loader does would take most of the time, and makes reading hardly cheaper: pages of this
  // archive are no faster than they would be, and it takes more disk.
  await engine.command(
    `ALTER TABLE ${database}.observations MODIFY SETTING default_compression_codec = 'ZSTD(1)'`,
  );
  let made = 0;
  const left = layout.stretches.filter(({ firstDay }) => !done.has(firstDay)).values();
  const copying = Array.from({ length: availableParallelism() }, async () => {
    for (const stretch of left) {
      const copied = await copy(place, stretch);
      made += copied;
      await appendFile(notes, `${stretch.firstDay}\n`);
      process.stderr.write(
        `building: ${stretch.firstDay}, ${made.toLocaleString('en')} reports after ${seconds()} s\n`,
      );
    }
  });
  await Promise.all(copying);
  await engine.command(`SYSTEM START MERGES ${database}.observations`);
  const years = YEARS.values();
  const merging = Array.from({ length: availableParallelism() }, async () => {
    for (const year of years)
      await engine.command(
        `OPTIMIZE TABLE ${database}.observations PARTITION ${year} FINAL SETTINGS optimize_skip_merged_partitions = 1`,
      );
  });
  await Promise.all(merging);
  process.stderr.write(`building: merged after ${seconds()} s\n`);
  for (const table of ['coverage', 'stations', 'slices'])
    await engine.command(`OPTIMIZE TABLE ${database}.${table} FINAL`);
  await engine.command(`DROP DATABASE ${MADE_FROM}`);
  await writeFile(notes, 'all\n');
}

/** Making and decoding reports costs more than all else, so each core has a process for it. */
async function makeTemplates(url: string): Promise<void> {
  const queue = TEMPLATES.values();
  const workers = Array.from({ length: availableParallelism() }, () => fork(WORKER, [url, MADE_FROM]));
  try {
    await Promise.all(
      workers.map(async (worker) => {
        for (const station of queue) await doneBy(worker, station);
      }),
    );
  } finally {
    for (const worker of workers) worker.kill();
  }
}

async function doneBy(worker: ChildProcess, station: string): Promise<void> {
  const ended = new AbortController();
  const died = once(worker, 'exit', { signal: ended.signal }).then(() => {
    throw new Error(`A worker ended while it made ${station}`);
  });
  died.catch(() => {});
  worker.send(station);
  await Promise.race([once(worker, 'message', { signal: ended.signal }), died]);
  ended.abort();
}

async function enterPieces({ engine }: Place, { pieces }: Layout): Promise<void> {
  await engine.command(`CREATE OR REPLACE TABLE ${MADE_FROM}.pieces
    (station String, template String, shift UInt32, firstDay Date, endDay Date, hours UInt8) ENGINE = Memory`);
  const rows = pieces.map((piece) => JSON.stringify(piece)).join('\n');
  await engine.command(`INSERT INTO ${MADE_FROM}.pieces FORMAT JSONEachRow\n${rows}`);
}

/**
 * One block, and so one part: rows come station by station and hour by hour, which spares sorting them for the
 * projection. The body of a text begins behind its type, and its time behind its station.
 */
async function copy({ engine, database }: Place, { firstDay, endDay }: Stretch): Promise<number> {
  const { headers } = await engine.query(
    `INSERT INTO ${database}.observations
SELECT made.* REPLACE (
    copied AS station,
    observed AS observedAt,
    concat(substring(made.raw, 1, 6), body) AS raw,
    reinterpretAsUInt32(reverse(substring(SHA256(body), 1, 4))) AS fingerprint)
EXCEPT (copied, observed, body)
FROM
(
    SELECT
        each.*,
        copied,
        toDateTime(days.day, 'UTC') + toUnixTimestamp(each.observedAt) % 86400 AS observed,
        concat(copied, ' ', formatDateTime(observed, '%d%H%i'), substring(each.raw, 18)) AS body
    FROM
    (
        SELECT station AS copied, template, hours, day::UInt16::Date AS day, (day + shift) % ${TEMPLATE_DAYS} AS templateDay
        FROM ${MADE_FROM}.pieces
        ARRAY JOIN range(
            toUInt32(greatest(firstDay, toDate('${firstDay}'))),
            toUInt32(greatest(firstDay, toDate('${firstDay}'), least(endDay, toDate('${endDay}'))))) AS day
    ) AS days
    INNER JOIN ${MADE_FROM}.observations AS each
        ON each.station = days.template AND toUInt32(toDate(each.observedAt) - toDate('${TEMPLATE_START}')) = days.templateDay
    WHERE toHour(each.observedAt) < days.hours
) AS made`,
    'max_threads=1&max_insert_threads=1&join_algorithm=hash&query_plan_join_swap_table=false' +
      '&min_insert_block_size_rows=100000000&min_insert_block_size_bytes=100000000000',
  );
  return Number(JSON.parse(String(headers['x-clickhouse-summary'])).written_rows);
}

/** As a loader leaves it that was asked for all 21 years of every station: silent years are done too. */
async function enterLedger({ url, database }: Place, { all }: Layout): Promise<void> {
  const client = openArchive({ url, username: 'default', password: '', database });
  const source = demo();
  const records = all.flatMap((station) =>
    YEARS.map((year) => {
      const [firstDay, endDay] = [`${year}-01-01`, `${year + 1}-01-01`];
      return {
        source: 'demo',
        station,
        firstDay,
        doneDay: endDay,
        endDay,
        reports: 0,
        inserted: 0,
        skipped: {},
      };
    }),
  );
  await client.insert({ table: 'slices', values: records, format: 'JSONEachRow' });
  await listStations(client, all.map(source.listing), new AbortController().signal);
  await client.close();
}
