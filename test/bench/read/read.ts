import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { Position } from '../../../clickhouse/model/report.ts';
import { peakMegabytes, residentMegabytes } from '../../support/process-usage.ts';
import { seededRandom, shuffled } from '../../support/random.ts';
import { DATABASE, describeArchive } from '../engine.ts';
import type { HttpResponse } from '../http-client.ts';
import { type Figure, formatMs, type Results, type Section, sum, Times } from '../results.ts';
import { type Api, PAGE_CACHE_MEGABYTES, requestPage, withBenchApi } from './api.ts';
import type { BenchArchive } from './archive.ts';
import { comparedWith, type Other, openOther } from './other.ts';
import { fresh, type Query, queriesOf, streamPathOf, yearsOf } from './queries.ts';

const FORMATS = ['csv', 'ndjson', 'parquet', 'arrow'];
const HIGHEST_LIMIT = 1_000_000;
const STREAM_ROUNDS = 5;

/** The 21 years of one station with `raw`, without compression, in turn with another api. */
export async function measureStreams(
  { layout, engine }: BenchArchive,
  api: Api,
  other: Other | undefined,
): Promise<Section> {
  const query = { ...yearsOf(layout.hourly[0] ?? ''), limit: HIGHEST_LIMIT };
  const records = await engine.http.command(
    `SELECT count() FROM ${DATABASE}.observations WHERE station = '${query.name}' FORMAT TSV`,
  );
  const times = new Times();
  const megabytes = new Map<string, number>();
  for (let round = -1; round < STREAM_ROUNDS; round += 1)
    for (const format of FORMATS) {
      const path = streamPathOf(fresh(query), format);
      const { bytes } = await times.measure(format, round, () => api.download(path));
      megabytes.set(format, bytes / 2 ** 20);
      if (other !== undefined) await times.measure(`other ${format}`, round, () => other.api.download(path));
    }
  return {
    title: 'Streams: one station, 21 years, with `raw`',
    figures: FORMATS.map((format) => ({
      what: format,
      measured: (1000 * Number(records)) / times.median(format),
      unit: 'a second',
      detail: `${records} records, ${megabytes.get(format)?.toFixed(1)} MB${comparedWith(other, times, format)}`,
    })),
  };
}

type WalkPage = { readonly query: Query; readonly response: HttpResponse; readonly records: number };

/** Requests page after page of a query, each with the cursor that follows the page before. */
export async function* walk(api: Pick<Api, 'page'>, first: Query): AsyncGenerator<WalkPage> {
  for (let query: Query | undefined = first; query !== undefined; ) {
    const response = await requestPage(api, query);
    const body: Buffer = query.encoding === 'gzip' ? gunzipSync(response.body) : response.body;
    const end = body.lastIndexOf('],"meta":');
    const { meta } = JSON.parse(`{${body.toString('utf8', end + 2)}`);
    const records: number = meta.hasMore ? query.limit : JSON.parse(body.toString()).data.length;
    yield { query, response, records };
    query = meta.hasMore ? { ...query, after: lastPosition(body, end) } : undefined;
  }
}

/** Reads only the last record, because parsing a page takes longer than the api needs to answer. */
function lastPosition(body: Buffer, end: number): Position {
  const start = body.lastIndexOf('{"id":"', end);
  const { id, station, observedAt, type } = JSON.parse(body.toString('utf8', start, end));
  return { station, observedAt: Date.parse(observedAt) / 1000, type, fingerprint: id.slice(-8) };
}

const CLIENTS = 32;
const PAGES_OF_CLIENT = 100;
const WALK_ROUNDS = 2;

/** Clients that walk a station each: for this service and, where there is one, for another api in turn. */
export async function measureWalks(
  api: Api,
  other: Other | undefined,
  stations: readonly string[],
): Promise<Section> {
  const walkers = stations.slice(0, CLIENTS);
  const figures: Figure[] = [];
  for (const encoding of ['identity', 'gzip'] as const) {
    const [ours, theirs]: [number[], number[]] = [[], []];
    for (let round = 0; round < WALK_ROUNDS; round += 1) {
      ours.push(await recordsPerSecond(encoding, api, walkers));
      if (other !== undefined) theirs.push(await recordsPerSecond(encoding, other.api, walkers));
    }
    const rate = sum(ours) / WALK_ROUNDS;
    figures.push({ what: encoding, measured: rate, unit: 'a second' });
    if (other !== undefined)
      figures.push({
        what: `${encoding}, compared with ${other.name}`,
        measured: rate / (sum(theirs) / WALK_ROUNDS),
        unit: '×',
        atLeast: 0.95,
        detail: `${Math.round(sum(theirs) / WALK_ROUNDS)} a second`,
      });
  }
  return { title: `Records of ${CLIENTS} clients that walk a station each`, figures };
}

/** Where the walk of a client ends, it walks another range of the same station. */
async function recordsPerSecond(
  encoding: 'identity' | 'gzip',
  api: Pick<Api, 'page'>,
  stations: readonly string[],
): Promise<number> {
  let total = 0;
  const started = performance.now();
  const client = async (station: string) => {
    for (let pages = 0; pages < PAGES_OF_CLIENT; ) {
      const first = { ...fresh(yearsOf(station)), ...(encoding === 'gzip' && { encoding }) };
      for await (const { records } of walk(patient(api), first)) {
        total += records;
        pages += 1;
        if (pages === PAGES_OF_CLIENT) break;
      }
    }
  };
  await Promise.all(stations.map(client));
  return total / ((performance.now() - started) / 1000);
}

/** Asks again after the time that an overloaded service names. */
function patient(api: Pick<Api, 'page'>): Pick<Api, 'page'> {
  return {
    async page(query, headers) {
      for (;;) {
        const response = await api.page(query, headers);
        if (response.status !== 503) return response;
        await sleep(Number(response.headers['retry-after'] ?? 1) * 1000);
      }
    },
  };
}

const WARM_UP_ROUNDS = 3;

/**
 * The first request for a page, the same again, and with its entity tag. Each round has another order, because what a
 * response leaves to be done, such as freeing a large page, delays the next.
 */
export async function measurePages(
  api: Api,
  other: Other | undefined,
  queries: readonly Query[],
  rounds: number,
): Promise<Section> {
  const times = new Times();
  const bytes = new Map<string, number>();
  for (let round = -WARM_UP_ROUNDS; round < rounds; round += 1) {
    for (const query of shuffled(queries, seededRandom(round + WARM_UP_ROUNDS))) {
      const page = fresh(query);
      const ask = (name: string, from: Pick<Api, 'page'>, etag?: string) =>
        times.measure(`${name} ${query.name}`, round, () => requestPage(from, page, etag));
      const first = await ask('first', api);
      bytes.set(query.name, first.body.length);
      await ask('again', api);
      await ask('304', api, String(first.headers.etag));
      if (other !== undefined) await ask('other first', other.api);
    }
    process.stderr.write('.');
  }
  const figures = queries.map(({ name }): Figure => {
    const [again, known] = [times.median(`again ${name}`), times.median(`304 ${name}`)];
    const size = ((bytes.get(name) ?? 0) / 1024).toFixed(0);
    return {
      what: name,
      measured: times.median(`first ${name}`),
      unit: 'ms',
      detail: `again ${formatMs(again)}, 304 ${formatMs(known)}; ${size} kB${comparedWith(other, times, `first ${name}`)}`,
    };
  });
  return {
    title: 'Pages over HTTP',
    about:
      'Medians. The api, the engine and the client share the cores. `measured`: a page of a range that nothing asked for ' +
      'before; `again`: from memory. Pages have 1,000 records and `raw` unless the name says otherwise.',
    figures: [...targets(times), ...figures],
  };
}

function targets(times: Times): readonly Figure[] {
  const one = '1 station, 21 years, first page';
  const ratio = (what: string, name: string, atMost: number, to = `first ${one}`): Figure => ({
    what,
    measured: times.median(name) / times.median(to),
    unit: '×',
    atMost,
  });
  return [
    ratio('the same page again, compared with the first request', `again ${one}`, 0.15),
    ratio('304 for a page in memory, compared with the first request', `304 ${one}`, 0.1),
    ratio('21 years compared with 1 month', `first ${one}`, 1.3, 'first 1 station, 1 month'),
    ratio('a page in the middle compared with the first', 'first 1 station, 21 years, middle page', 1.3),
    ratio('1,000 stations compared with 1', 'first 1,000 stations, 21 years', 4),
    ratio(
      'a station with 10 reports a year compared with an hourly one',
      'first 10 reports a year, 21 years',
      3,
    ),
    ratio('an unknown station compared with an hourly one', 'first unknown station, 21 years', 3),
    ratio('a page with gzip, compared with none', 'first 1 station, 21 years, gzip', 1.15),
  ];
}

/** Names and defaults are those of the command. */
export type ReadOptions = {
  readonly rows: string;
  /** Of all pages. */
  readonly rounds: string;
  /** The folder of another checkout, whose api is asked in turn with this one. */
  readonly against: string;
  readonly data: string;
};

/** Pages, walks and streams over HTTP on synthetic reports, in turn with another api where one is named. */
export async function benchRead(options: ReadOptions): Promise<Results> {
  return withBenchApi(options, async (archive, api) => {
    const other = await openOther(options);
    try {
      const queries = await queriesOf(archive);
      const sections = [
        await measurePages(api, other, queries, Number(options.rounds)),
        await measureWalks(api, other, archive.layout.fifty),
        await measureStreams(archive, api, other),
      ];
      const memory = {
        what: 'most resident memory of the api, all measurements of this run',
        measured: await peakMegabytes(api.pid),
        unit: 'MB',
        atMost: 300 + PAGE_CACHE_MEGABYTES,
        detail: `300 MB and the page cache of ${PAGE_CACHE_MEGABYTES} MB; ${await residentMegabytes(api.pid)} MB at the end`,
      } as const;
      return {
        about: await describeArchive(archive.engine),
        sections: [...sections, { title: 'Memory', figures: [memory] }],
      };
    } finally {
      await other?.close();
    }
  });
}
