import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeRun } from '../machine.ts';
import { publish } from '../markdown.ts';
import { freshRanges } from '../serving/fresh-ranges.ts';
import { measureServing } from '../serving/serving.ts';
import { servingTable } from '../serving/table.ts';
import { type Api, startApi } from './api.ts';
import { type BenchArchive, openBenchArchive } from './archive.ts';
import { compareArchiveSizes } from './measurements/archive-sizes.ts';
import { measureFirstRequests } from './measurements/first-requests.ts';
import { measureQueries } from './measurements/measure.ts';
import { soak } from './measurements/soak.ts';
import { measureThroughput, type Throughput } from './measurements/throughput.ts';
import { queriesTable, sizesTable, soakTable, targetsTable } from './tables.ts';
import { targets } from './targets.ts';

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
  readonly write: string | undefined;
  readonly commandLine: string;
};

/** Pages over HTTP, compared with the engine's own response, on synthetic reports. */
export async function benchRead(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  const archive = await openBenchArchive(options.rows, options.data);
  try {
    const api = await startApi(archive.engine);
    try {
      await publish(options.write, await measure(archive, api, options));
    } finally {
      await api.stop();
    }
  } finally {
    await archive.close();
  }
}

async function measure(archive: BenchArchive, api: Api, options: Options): Promise<readonly string[]> {
  const { rounds, seconds, beside, data } = options;
  const head = await describeRun(archive.engine, 'Read benchmark', options.commandLine);
  const firstRequests = await measureFirstRequests(archive, api);
  const measured = rounds > 0 ? await measureQueries(archive, api, rounds) : [];
  const queries = measured.map(({ query }) => query);
  const throughput: (readonly Throughput[])[] = [];
  if (seconds > 0) for (const query of queries) throughput.push(await measureThroughput(api, query, seconds));
  const soaked = options.soak > 0 ? await soak(api, queries, options.soak) : undefined;
  const resident = api.resident();
  const sizes =
    beside === undefined ? undefined : await compareArchiveSizes(api, queries, beside, data, rounds);
  const freshRange = freshRanges();
  const serving = await measureServing(archive, api, freshRange, options);
  const peakMegabytes = await api.peakMegabytes();
  return [
    head,
    targetsTable(targets(measured, { soaked, sizes, serving, peakMegabytes })),
    ...(rounds > 0 ? [queriesTable(measured, throughput, firstRequests, resident)] : []),
    ...(soaked ? [soakTable(soaked)] : []),
    ...(sizes ? [sizesTable(sizes)] : []),
    servingTable(serving),
  ];
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
      write: { type: 'string' },
    },
  });
  const { data, write, against, ...shown } = values;
  if (values.rounds === '0' && (values.soak !== '0' || values.beside !== undefined))
    throw new Error('--soak and --beside need pages: --rounds may not be 0');
  return {
    rows: integer(values.rows),
    rounds: integer(values.rounds),
    seconds: integer(values.seconds),
    soak: integer(values.soak),
    beside: values.beside === undefined ? undefined : integer(values.beside),
    against: values.against,
    data,
    write,
    commandLine: `read ${optionText(shown)}`,
  };
}

function integer(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`"${text}" is not a whole number`);
  return Number(text);
}

/** Given and default options as they are written on a command line. */
function optionText(options: Readonly<Record<string, string | boolean | undefined>>): string {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => (value === true ? `--${name}` : `--${name} ${value}`))
    .join(' ');
}
