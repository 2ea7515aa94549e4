/** `npm run bench -- NAME [options]` runs one benchmark. Its figures are of one run on this machine. */
type Benchmark = { readonly usage: string; readonly run: (args: readonly string[]) => Promise<void> };

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  read: {
    usage: `pages, walks and streams over HTTP, compared with the engine's own response
          [--rows 10000000] [--rounds 30; 0 leaves the pages out]
          [--seconds 2, to measure requests a second; 0 leaves them out] [--soak SECONDS] [--beside ROWS]
          [--against FOLDER of another checkout] [--write FILE] [--data DIR]`,
    run: async (args) => (await import('./read/read.ts')).benchRead(args),
  },
  peers: {
    usage: `pages, walks and ranges over HTTP, compared with PostgreSQL and DuckDB
          [--rows 1000000] [--rounds 20] [--write FILE] [--data DIR]`,
    run: async (args) => (await import('./peers/peers.ts')).benchPeers(args),
  },
  statistics: {
    usage: `statistics over HTTP, compared with the engine's own statement, DuckDB and PostgreSQL
          [--rows 1000000] [--rounds 5] [--write FILE] [--data DIR]`,
    run: async (args) => (await import('./questions/bench-questions.ts')).benchQuestionsOverHttp(args),
  },
  size: {
    usage: "bytes per report on disk [FOLDER of STATION_YYYY.csv files in IEM's format] [--write FILE]",
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

const args = process.argv.slice(2);
const [name = ''] = args;
const benchmark = Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined;
const usage = [
  'npm run bench -- NAME [options]',
  ...Object.entries(BENCHMARKS).map(([each, { usage: text }]) => `  ${each.padEnd(8)} ${text}`),
].join('\n');
if (args.includes('--help') || args.includes('-h')) console.log(usage);
else if (benchmark === undefined) {
  if (name !== '') console.error(`There is no benchmark "${name}".`);
  console.error(usage);
  process.exitCode = 2;
} else await benchmark.run(args.slice(1));
