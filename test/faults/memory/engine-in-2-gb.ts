import { residentMegabytes, watchHighest } from '../../support/process-usage.ts';
import { Answers } from '../clients/answers.ts';
import { send } from '../clients/client.ts';
import type { Fault } from '../fault.ts';
import { sendAs } from '../power/claims.ts';
import type { Service } from '../service.ts';
import { startInContainer } from './limited-memory.ts';

const [STATIONS, FIRST_YEAR, LAST_YEAR] = [200, 2019, 2023];
/** Few rows in a block: a wide part is written with a buffer for each of its 650 files. */
const [AT_A_TIME, ROWS_OF_TEMPLATE] = [25, 512];
/** Of the archive that is copied: they have all reports of 2023. */
const TEMPLATES = ['XAAA', 'XAAB', 'XAAC', 'XAAD'];

const codes = Array.from({ length: STATIONS }, (_, n) =>
  ['Z', 'Z', String.fromCharCode(65 + Math.floor(n / 26)), String.fromCharCode(65 + (n % 26))].join(''),
);
const RANGE = `stations=${codes}&from=${FIRST_YEAR}-01-01T00:00:00Z&to=${LAST_YEAR + 1}-01-01T00:00:00Z`;

/** Three million records, in hundreds of parts that are not merged yet, and the most that a statistic may ask for: 1,000 station-years. */
const STREAM = `/v1/history/observations.parquet?${RANGE}&include=raw,decoded`;
const STATISTIC = `/v1/history/statistics?${RANGE}&by=month,hour&select=${[
  'temp_c',
  'dewp_c',
  'wspd_kt',
  'altim_hpa',
]
  .map((field) => `mean(${field}),p50(${field})`)
  .join()}`;

/** The embedded engine takes half of the memory that there is, and leaves the rest to the others. */
export const ENGINE_IN_2_GB: Fault = {
  name: '2 GB: a stream beside a statistic of 1,000 station-years',
  does: 'refuses or breaks off what needs more memory, then serves',
  action: `api and engine in a container of 2 GB; one key reads three million reports of ${STATIONS} stations in five years as Parquet while another asks for statistics of them, with percentiles of four fields; then a small page`,
  // The engine has a half, 1 GB: what needs more is refused or broken off, as the log says.
  expect: { answers: ['200', '503 overloaded', 'broken off'], required: ['200'], longestWaitMs: 150_000 },
  async run() {
    const { service, memory, stop } = await startInContainer(2048);
    try {
      await copyYears(service);
      const engine = await service.enginePid();
      const watch = watchHighest(() => residentMegabytes(engine));
      const answers = new Answers();
      const [stream, statistic] = await Promise.all([
        read(service, STREAM, answers),
        read(service, STATISTIC, answers),
      ]);
      const most = watch.stop();
      answers.add(await send(service.url, { key: await service.createKey() }));
      const killed = await memory.killed();
      return {
        answers,
        notes: [
          `${Math.round(stream.bytes / 1e6)} MB in ${Math.round(stream.ms / 1000)} s, the statistic in ${(statistic.ms / 1000).toFixed(1)} s`,
          `engine ${most} MB, both with files ${await memory.peakMegabytes()} MB`,
        ],
        breaches: [
          stream.label === '200' && stream.end !== 'PAR1' && 'the stream looks whole',
          killed > 0 && `the kernel killed ${killed} processes`,
          (await service.enginePid()) !== engine && 'the engine ended',
        ],
      };
    } finally {
      await stop();
    }
  },
};

/** Gives the stations the reports of each third hour, for each year: those of the archive, in turns. */
async function copyYears({ dataDir }: Service): Promise<void> {
  for (let year = FIRST_YEAR; year <= LAST_YEAR; year += 1)
    for (let first = 0; first < STATIONS; first += AT_A_TIME) {
      const some = codes.slice(first, first + AT_A_TIME).map((code) => `'${code}'`);
      await sendAs(
        dataDir,
        'loader',
        `INSERT INTO observations SELECT * EXCEPT (code)
          REPLACE (code AS station, addYears(observedAt, ${year - 2023}) AS observedAt)
        FROM (SELECT *, arrayJoin([${some}]) AS code FROM observations 
          WHERE station = '${TEMPLATES[year % 4]}' AND toHour(observedAt) % 3 = 0)
        SETTINGS max_threads = 1, max_block_size = ${ROWS_OF_TEMPLATE},
          min_insert_block_size_rows = ${AT_A_TIME * ROWS_OF_TEMPLATE}`,
      );
    }
}

/** Reads the whole answer without keeping it; the last bytes say whether a Parquet file is whole. */
async function read({ url, createKey }: Service, path: string, answers: Answers) {
  const started = performance.now();
  const response = await fetch(url + path, { headers: { authorization: `Bearer ${await createKey()}` } });
  let [bytes, last] = [0, Buffer.alloc(0)];
  let label = `${response.status}`;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      last = Buffer.concat([last, chunk]).subarray(response.ok ? -4 : -500);
    }
    if (!response.ok) label = `${label} ${(JSON.parse(`${last}`) as { code: string }).code}`;
  } catch {
    label = 'broken off';
  }
  const ms = performance.now() - started;
  answers.add({
    status: response.status,
    label,
    headers: Object.fromEntries(response.headers),
    body: '',
    ms,
  });
  return { bytes, ms, label, end: last.toString('latin1') };
}
