import { DATABASE } from '../embedded-engine.ts';
import { type HttpClient, openHttpClient } from '../http-client.ts';
import type { Api } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { type Query, streamPathOf } from '../read/queries.ts';
import { median } from '../statistics.ts';
import { freshRanges } from './fresh-ranges.ts';
import { withRecordedApi } from './recorded-api.ts';
import { type RecordedStatement, readsReports } from './statement-recorder.ts';

export const FORMATS = ['csv', 'ndjson', 'parquet', 'arrow'] as const;
export type StreamFormat = (typeof FORMATS)[number];

/** Medians in milliseconds, from the request to the last byte. */
export type StreamResult = {
  readonly format: StreamFormat;
  /** Whether all records of the range are within `limit`. */
  readonly isWhole: boolean;
  readonly records: number;
  readonly megabytes: number;
  readonly ms: number;
  /** The engine alone, with the statement that the api sends for the records. */
  readonly bareMs: number;
};

type Subject = Pick<StreamResult, 'format' | 'isWhole' | 'records'> & {
  readonly path: string;
  readonly statement: RecordedStatement;
};

/** Of the 190,000 records of a station with hourly reports. */
const LIMIT_WITHIN_RANGE = 120_000;
const HIGHEST_LIMIT = 1_000_000;
const ROUNDS = 5;

/** The 21 years of one station with `raw`, without compression: the api and the bare engine in turn. */
export async function measureStreams(archive: BenchArchive, api: Api): Promise<readonly StreamResult[]> {
  const subjects = await recordSubjects(archive);
  const engine = openHttpClient(archive.engine.api.url);
  try {
    const results: StreamResult[] = [];
    for (const subject of subjects) {
      results.push(await measureStream(subject, api, engine));
      process.stderr.write('.');
    }
    return results;
  } finally {
    engine.close();
  }
}

async function measureStream(
  { path, statement, ...subject }: Subject,
  api: Api,
  engine: HttpClient,
): Promise<StreamResult> {
  const times: { readonly ms: number; readonly bareMs: number }[] = [];
  let bytes = 0;
  for (let round = -1; round < ROUNDS; round += 1) {
    const ours = await api.download(path);
    const bare = await engine.download(statement);
    if (bare.status !== 200) throw new Error(`${subject.format}: the engine answers with ${bare.status}`);
    bytes = ours.bytes;
    // The row groups of a Parquet file, and so its size, differ from run to run.
    if (Math.abs(bare.bytes / bytes - 1) > 0.2) throw new Error(`${path}: ${bytes} bytes and ${bare.bytes}`);
    if (round >= 0) times.push({ ms: ours.ms, bareMs: bare.ms });
  }
  return {
    ...subject,
    megabytes: bytes / 2 ** 20,
    ms: median(times.map(({ ms }) => ms)),
    bareMs: median(times.map(({ bareMs }) => bareMs)),
  };
}

async function recordSubjects({ layout, engine }: BenchArchive): Promise<readonly Subject[]> {
  const whole = freshRanges()('stream', layout.hourly[0] ?? '', HIGHEST_LIMIT);
  const ranges = [
    { query: whole, isWhole: true, records: await countRecords(engine.http, whole) },
    { query: { ...whole, limit: LIMIT_WITHIN_RANGE }, isWhole: false, records: LIMIT_WITHIN_RANGE },
  ];
  return withRecordedApi(engine, async (api, recorder) => {
    const subjects: Subject[] = [];
    for (const { query, ...range } of ranges)
      for (const format of FORMATS) {
        recorder.take();
        const path = streamPathOf(query, format);
        const { headers } = await api.download(path);
        if (headers['x-has-more'] !== String(!range.isWhole)) throw new Error(`${path}: another range`);
        // The others look for the end of the range, and count its records.
        const statement = recorder
          .take()
          .findLast((one) => readsReports(one) && !one.body.includes('FORMAT JSON'));
        if (statement === undefined) throw new Error(`${path}: no statement for records`);
        subjects.push({ format, ...range, path, statement });
      }
    return subjects;
  });
}

async function countRecords(http: HttpClient, { filters }: Query): Promise<number> {
  const count = await http.command(
    `SELECT count() FROM ${DATABASE}.observations
     WHERE station = '${filters.stations[0]}' AND observedAt >= fromUnixTimestamp(${filters.from / 1000}) FORMAT TSV`,
  );
  return Number(count);
}
