import { finished } from 'node:stream/promises';
import { openArchive } from '../../../clickhouse/client.ts';
import { readCoverageStates } from '../../../clickhouse/coverage/state/state.ts';
import { REPORT_TYPES } from '../../../clickhouse/model/report.ts';
import { openStream } from '../../../clickhouse/observations/stream/stream.ts';
import { fixRange } from '../../../clickhouse/observations/stream/stream-range.ts';
import { DATABASE } from '../embedded-engine.ts';
import { type HttpClient, openHttpClient } from '../http-client.ts';
import type { Api } from '../read/api.ts';
import type { BenchArchive } from '../read/archive.ts';
import { type Query, streamPathOf } from '../read/queries.ts';
import { median } from '../statistics.ts';
import { freshRanges } from './fresh-ranges.ts';
import { type RecordedStatement, readsReports, recordStatements } from './statement-recorder.ts';

const FORMATS = ['csv', 'ndjson', 'parquet', 'arrow'] as const;
type StreamFormat = (typeof FORMATS)[number];

/** Medians in milliseconds, from the request to the last byte. */
export type StreamResult = {
  readonly format: StreamFormat;
  /** Whether all records of the range are within `limit`. */
  readonly isWhole: boolean;
  readonly records: number;
  readonly megabytes: number;
  readonly ms: number;
  /** From the request to the first bytes of the body. */
  readonly firstMs: number;
  /** The engine alone, with one statement for all records. */
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
/** The service reads time windows; the engine alone is asked for the range by one statement. */
const ONE_WINDOW = { first: 1e9, next: 1e9, matches: 1e9 };

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
  const times: { readonly ms: number; readonly firstMs: number; readonly bareMs: number }[] = [];
  let bytes = 0;
  for (let round = -1; round < ROUNDS; round += 1) {
    const started = performance.now();
    let firstMs: number | undefined;
    const ours = await api.download(path, () => {
      firstMs ??= performance.now() - started;
    });
    const bare = await engine.download(statement);
    if (bare.status !== 200) throw new Error(`${subject.format}: the engine answers with ${bare.status}`);
    bytes = ours.bytes;
    // The row groups of a Parquet file, and so its size, differ from run to run.
    if (Math.abs(bare.bytes / bytes - 1) > 0.2) throw new Error(`${path}: ${bytes} bytes and ${bare.bytes}`);
    if (round >= 0) times.push({ ms: ours.ms, firstMs: firstMs ?? ours.ms, bareMs: bare.ms });
  }
  return {
    ...subject,
    megabytes: bytes / 2 ** 20,
    ms: median(times.map(({ ms }) => ms)),
    firstMs: median(times.map(({ firstMs }) => firstMs)),
    bareMs: median(times.map(({ bareMs }) => bareMs)),
  };
}

async function recordSubjects({ layout, engine }: BenchArchive): Promise<readonly Subject[]> {
  const whole = freshRanges()('stream', layout.hourly[0] ?? '', HIGHEST_LIMIT);
  const ranges = [
    { query: whole, isWhole: true, records: await countRecords(engine.http, whole) },
    { query: { ...whole, limit: LIMIT_WITHIN_RANGE }, isWhole: false, records: LIMIT_WITHIN_RANGE },
  ];
  const recorder = await recordStatements(engine.api.url);
  const client = openArchive({ ...engine.api, url: recorder.url });
  const { signal } = new AbortController();
  try {
    const subjects: Subject[] = [];
    for (const { query, ...about } of ranges) {
      const { filters, limit } = query;
      const request = { ...filters, types: REPORT_TYPES, raw: true, decoded: false, limit };
      const states = await readCoverageStates(client, request.stations, signal);
      const range = await fixRange(client, request, false, states, signal);
      for (const format of FORMATS) {
        recorder.take();
        const bytes = await openStream(client, request, range, states, format, signal, ONE_WINDOW);
        await finished(bytes.resume());
        const statement = recorder.take().findLast(readsReports);
        if (statement === undefined) throw new Error(`${format}: no statement for records`);
        subjects.push({ format, ...about, path: streamPathOf(query, format), statement });
      }
    }
    return subjects;
  } finally {
    await client.close();
    recorder.close();
  }
}

async function countRecords(http: HttpClient, { filters }: Query): Promise<number> {
  const count = await http.command(
    `SELECT count() FROM ${DATABASE}.observations
     WHERE station = '${filters.stations[0]}' AND observedAt >= fromUnixTimestamp(${filters.from}) FORMAT TSV`,
  );
  return Number(count);
}
