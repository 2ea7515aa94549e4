import { readFile, rename, rm } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The programs of this repository, each of which can start the others, and what tests join and read an engine by. */
const PROGRAMS = [
  'api/main.ts',
  'api/auth/keys-command.ts',
  'loader/main.ts',
  'clickhouse/embedded/main.ts',
  'clickhouse/embedded/join.ts',
  'clickhouse/client.ts',
] as const;

/**
 * Compiles the programs into a folder, as `node compile-programs.ts FOLDER`. A program that is compiled with its packages
 * starts with a quarter of the CPU time that tsx needs to start it from its source, and tests start about two hundred.
 */
const [folder = ''] = process.argv.slice(2);
/** Cannot be bundled. */
const ESBUILD = fileURLToPath(import.meta.resolve('esbuild'));
const unfinished = `${folder}-${process.pid}`;
await build({
  entryPoints: [...PROGRAMS],
  outdir: unfinished,
  outbase: '.',
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  external: ['chdb', 'ffi-rs', ESBUILD],
  alias: { esbuild: ESBUILD },
  banner: {
    js: "import * as modules from 'node:module'; const require = modules.createRequire(import.meta.url);",
  },
  outExtension: { '.js': '.mjs' },
  plugins: [{ name: 'programs', setup: ({ onLoad }) => onLoad({ filter: /\.[jt]s$/ }, load) }],
});
// Several processes of a run may compile at the same time: the first one wins.
await rename(unfinished, folder).catch(() => rm(unfinished, { recursive: true }));

/** A compiled file finds what lies beside its source, and starts compiled programs. */
async function load({ path }: { readonly path: string }) {
  const loader = path.endsWith('.ts') ? ('ts' as const) : ('js' as const);
  if (path.endsWith('/typescript-program.ts')) return { loader, contents: compiledArguments() };
  const source = await readFile(path, 'utf8');
  return { loader, contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)) };
}

function compiledArguments(): string {
  const root = pathToFileURL(`${process.cwd()}/`).href;
  return `export const programArguments = ({ href }: URL) =>
    [href.replace(${JSON.stringify(root)}, ${JSON.stringify(`${folder}/`)}).replace(/ts$/, 'mjs')];`;
}
