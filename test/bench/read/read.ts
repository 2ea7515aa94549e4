import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Results } from '../figures.ts';
import { describeArchive } from '../machine.ts';
import { freshRanges } from '../serving/fresh-ranges.ts';
import { measureServing } from '../serving/serving.ts';
import { SLOW_READERS } from '../serving/slow-readers.ts';
import { type Api, PAGE_CACHE_MEGABYTES, withBenchApi } from './api.ts';
import type { BenchArchive } from './archive.ts';
import { pages, pageTargets, serving, sizes, soaked } from './figures.ts';
import { compareArchiveSizes } from './measurements/archive-sizes.ts';
import { measureFirstRequests } from './measurements/first-requests.ts';
import { measureQueries } from './measurements/measure.ts';
import { soak } from './measurements/soak.ts';
import { measureThroughput, type Throughput } from './measurements/throughput.ts';

type Options = {
  readonly rows: number;
  /** Of all pages; 0 leaves the pages out. */
  readonly rounds: number;
  /** For each query and number of connections; 0 leaves throughput out. */
  readonly seconds: number;
  readonly soak: number;
  /** The size of another archive to compare with. */
  readonly beside: number | undefined;
  /** The folder of another checkout whose api walks beside this one. */
  readonly against: string | undefined;
  readonly data: string;
};

/** Pages over HTTP, compared with the engine's own response, on synthetic reports. */
export async function benchRead(args: readonly string[]): Promise<Results> {
  const options = readOptions(args);
  return withBenchApi(options, (archive, api) => measure(archive, api, options));
}

async function measure(archive: BenchArchive, api: Api, options: Options): Promise<Results> {
  const { rounds, seconds, beside, data } = options;
  const about = await describeArchive(archive.engine);
  const firstRequests = await measureFirstRequests(archive, api);
  const measured = rounds > 0 ? await measureQueries(archive, api, rounds) : [];
  const queries = measured.map(({ query }) => query);
  const throughput: (readonly Throughput[])[] = [];
  if (seconds > 0) for (const query of queries) throughput.push(await measureThroughput(api, query, seconds));
  const mixed = options.soak > 0 ? [soaked(await soak(api, queries, options.soak))] : [];
  const compared =
    beside === undefined ? [] : [sizes(await compareArchiveSizes(api, queries, beside, data, rounds))];
  const served = serving(await measureServing(archive, api, freshRanges(), options));
  const memory = {
    what: 'most resident memory of the api, all measurements of this run',
    measured: await api.peakMegabytes(),
    unit: 'MB',
    atMost: 300 + PAGE_CACHE_MEGABYTES,
    detail: `with ${SLOW_READERS} slow readers; 300 MB and the page cache of ${PAGE_CACHE_MEGABYTES} MB`,
  } as const;
  return {
    about,
    sections: [
      { title: 'Targets', figures: [...pageTargets(measured), memory] },
      ...(rounds > 0 ? [pages(measured, throughput, firstRequests)] : []),
      ...mixed,
      ...compared,
      served,
    ],
  };
}

function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rows: { type: 'string', default: '10000000' },
      rounds: { type: 'string', default: '30' },
      seconds: { type: 'string', default: '2' },
      soak: { type: 'string', default: '0' },
      beside: { type: 'string' },
      against: { type: 'string' },
      data: { type: 'string', default: join(tmpdir(), 'history-bench') },
    },
  });
  const { data, against } = values;
  if (values.rounds === '0' && (values.soak !== '0' || values.beside !== undefined))
    throw new Error('--soak and --beside need pages: --rounds may not be 0');
  return {
    rows: integer(values.rows),
    rounds: integer(values.rounds),
    seconds: integer(values.seconds),
    soak: integer(values.soak),
    beside: values.beside === undefined ? undefined : integer(values.beside),
    against,
    data,
  };
}

function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is not a whole number`);
  return Number(text);
}
