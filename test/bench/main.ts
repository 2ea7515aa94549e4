import { publish, type Results } from './figures.ts';

/** `npm run bench -- NAME [options]` runs one benchmark. Its figures are of one run on this machine. */
type Benchmark = { readonly usage: string; readonly run: (args: readonly string[]) => Promise<Results> };

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  read: {
    usage: `pages, walks and streams over HTTP, compared with the engine's own response
          [--rows 10000000] [--rounds 30; 0 leaves the pages out]
          [--seconds 2, to measure requests a second; 0 leaves them out] [--soak SECONDS] [--beside ROWS]
          [--against FOLDER of another checkout] [--data DIR]`,
    run: async (args) => (await import('./read/read.ts')).benchRead(args),
  },
  peers: {
    usage: `pages, walks and ranges over HTTP, compared with PostgreSQL and DuckDB
          [--rows 1000000] [--rounds 20] [--data DIR]`,
    run: async (args) => (await import('./peers/peers.ts')).benchPeers(args),
  },
  statistics: {
    usage: `statistics over HTTP, compared with the engine's own statement, DuckDB and PostgreSQL
          [--rows 1000000] [--rounds 5] [--data DIR]`,
    run: async (args) => (await import('./questions/bench-questions.ts')).benchQuestionsOverHttp(args),
  },
  size: {
    usage: "bytes per report on disk [FOLDER of STATION_YYYY.csv files in IEM's format]",
    run: async (args) => (await import('./size/size.ts')).benchSize(args),
  },
  load: {
    usage: 'reports a second from a source into the archive',
    run: async () => (await import('./load/load.ts')).benchLoad(),
  },
  snapshot: {
    usage:
      'export and import, compared with a load and a CSV stream of the same reports [FOLDER of files of sources] [--stations 26]',
    run: async (args) => (await import('./snapshot/snapshot.ts')).benchSnapshot(args),
  },
  decode: {
    usage: 'reports decoded a second, compared with metar-taf-parser',
    run: async () => (await import('./decode/decode.ts')).benchDecode(),
  },
};

/** Takes `--write FILE` and `--json FILE` out of the options of a benchmark. */
function takeFiles(options: string[]): {
  readonly write?: string | undefined;
  readonly json?: string | undefined;
} {
  const take = (name: string) => {
    const at = options.indexOf(name);
    return at < 0 ? undefined : options.splice(at, 2)[1];
  };
  return { write: take('--write'), json: take('--json') };
}

const [name = '', ...options] = process.argv.slice(2);
const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
const usage = [
  'npm run bench -- NAME [options] [--write FILE as Markdown] [--json FILE]',
  ...Object.entries(BENCHMARKS).map(([each, { usage: text }]) => `  ${each.padEnd(10)} ${text}`),
].join('\n');
if (process.argv.some((argument) => argument === '--help' || argument === '-h')) console.log(usage);
else if (benchmark === undefined) {
  if (name !== '') console.error(`There is no benchmark "${name}".`);
  console.error(usage);
  process.exitCode = 2;
} else {
  const files = takeFiles(options);
  await publish([name, ...options].join(' '), await benchmark.run(options), files);
}
