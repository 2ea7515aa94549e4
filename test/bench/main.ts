/** `npm run bench -- NAME [options]`: one benchmark, named. Each prints figures of one run on this machine. */
type Bench = { readonly about: string; readonly run: (args: readonly string[]) => Promise<void> };

const BENCHES: Readonly<Record<string, Bench>> = {
  read: {
    about: `pages over HTTP beside the engine itself [--rows 10000000] [--peers] [--beside ROWS] [--soak SECONDS]
          [--rounds 30] [--seconds 2, for requests a second; 0 leaves them out] [--write FILE] [--data DIR]`,
    run: async (args) => (await import('./read/read.ts')).benchRead(args),
  },
  size: {
    about: 'bytes per report on disk [FOLDER of STATION_YYYY.csv files in IEM’s format] [--write FILE]',
    run: async (args) => (await import('./size/size.ts')).benchSize(args),
  },
  load: {
    about: 'reports a second from a source into the archive',
    run: async () => (await import('./load/load.ts')).benchLoad(),
  },
  decode: {
    about: 'reports decoded a second, beside metar-taf-parser',
    run: async () => (await import('./decode/decode.ts')).benchDecode(),
  },
};

const [name = '', ...args] = process.argv.slice(2);
const bench = Object.hasOwn(BENCHES, name) ? BENCHES[name] : undefined;
if (bench === undefined) {
  const names = Object.entries(BENCHES).map(([known, { about }]) => `  ${known.padEnd(7)} ${about}`);
  console.error(
    [
      ...(name === '' ? [] : [`There is no benchmark "${name}".`]),
      'npm run bench -- NAME [options]',
      ...names,
    ].join('\n'),
  );
  process.exitCode = 2;
} else await bench.run(args);
