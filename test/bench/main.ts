import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Results, render } from './results.ts';

/** `npm run bench -- NAME [options]` runs one benchmark. Its figures are of one run on this machine. */
type Benchmark = {
  readonly about: string;
  /** With their defaults. */
  readonly options: Readonly<Record<string, string>>;
  readonly run: (options: never) => Promise<Results>;
};

const data = join(tmpdir(), 'history-bench');

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  read: {
    about:
      'pages, walks and streams over HTTP, with --against FOLDER in turn with the api of another checkout',
    options: { rows: '10000000', rounds: '8', against: '', data },
    run: async (options) => (await import('./read/read.ts')).benchRead(options),
  },
  statistics: {
    about: 'statistics, filtered streams and hourly series over HTTP, with --against FOLDER as read',
    options: { rows: '1000000', rounds: '5', against: '', data },
    run: async (options) => (await import('./statistics/statistics.ts')).benchStatistics(options),
  },
  size: {
    about: 'bytes per report on disk, of the demo or of --folder FOLDER of files of sources',
    options: { folder: '' },
    run: async (options) => (await import('./size.ts')).benchSize(options),
  },
  load: {
    about: 'reports a second from a source into the archive',
    options: { stations: '10', days: '8' },
    run: async (options) => (await import('./load/load.ts')).benchLoad(options),
  },
  snapshot: {
    about:
      'export and import, compared with a load and a CSV stream of the same reports, of --folder FOLDER of files of sources',
    options: { stations: '26', folder: '' },
    run: async (options) => (await import('./snapshot.ts')).benchSnapshot(options),
  },
  published: {
    about:
      'days of one station, of --reports FILE or FOLDER, compared with its --table FILE of GHCN-Daily (by_station), in --tz ZONE',
    options: { reports: '', table: '', tz: 'standard' },
    run: async (options) => (await import('./published.ts')).benchPublished(options),
  },
  decode: {
    about: 'reports decoded a second, compared with metar-taf-parser',
    options: {},
    run: async () => (await import('./decode.ts')).benchDecode(),
  },
};

const usage = [
  'npm run bench -- NAME [options] [--json FILE]',
  ...Object.entries(BENCHMARKS).map(([name, { about, options }]) => {
    const defaults = Object.entries(options).map(([option, value]) => ` --${option} ${value}`.trimEnd());
    return `  ${name.padEnd(10)} ${about}\n            ${defaults.join('')}`.trimEnd();
  }),
].join('\n');
const [name = '', ...args] = process.argv.slice(2);
const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
if (benchmark === undefined) {
  const isAsked = ['', '--help', '-h'].includes(name);
  console.log(isAsked ? usage : `There is no benchmark "${name}".\n${usage}`);
  process.exitCode = isAsked ? 0 : 2;
} else {
  const defaults = Object.entries({ json: '', ...benchmark.options });
  const { json, ...options } = parseArgs({
    args,
    options: Object.fromEntries(
      defaults.map(([option, value]) => [option, { type: 'string', default: value }]),
    ),
  }).values;
  const results = { command: [name, ...args].join(' '), ...(await benchmark.run(options as never)) };
  console.log(render(results));
  if (json) await writeFile(String(json), `${JSON.stringify(results, undefined, 1)}\n`);
}
