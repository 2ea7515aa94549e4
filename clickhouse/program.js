/*
 * Starts a program of this repository: `node clickhouse/program.js loader/main.ts status`. Compiled with its packages a program
 * starts with a quarter of the CPU time that tsx needs. Without a program, prints the folder of the compiled ones.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The compiled programs, which start each other by this file. Tests use the last two to join and read an engine. */
const PROGRAMS = [
  'api/main.ts',
  'api/auth/keys-command.ts',
  'loader/main.ts',
  'clickhouse/embedded/main.ts',
  'clickhouse/embedded/join.ts',
  'clickhouse/client.ts',
];

const ROOT = `${dirname(import.meta.dirname)}/`;
/** Below the repository, so that the programs find their packages. */
const CACHE = join(ROOT, 'node_modules/.cache');
/** Milliseconds for which programs compiled from other versions of the sources are kept, because they may be running. */
const KEPT = 7 * 86_400_000;

const [program] = process.argv.splice(2, 1);
if (program === undefined) console.log(await compile());
else {
  // The repository may be reached by a link.
  const source = realpathSync(program);
  process.argv[1] = source;
  const name = relative(ROOT, source);
  // Another user may have installed the repository, so that nothing can be written there; a copy may lack the other programs.
  const folder = PROGRAMS.includes(name) ? await compile().catch(() => undefined) : undefined;
  if (folder === undefined) (await import('tsx/esm/api')).register();
  const file = folder === undefined ? source : join(folder, name.replace(/ts$/, 'mjs'));
  await import(pathToFileURL(file).href);
}

/** A hash of the times and sizes of all files that are compiled. */
function versionOfSources() {
  const hash = createHash('sha256').update(ROOT).update(readFileSync(join(ROOT, 'package-lock.json')));
  for (const name of ['api', 'clickhouse', 'loader'])
    for (const file of readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' }).sort())
      if (/(?<!\.d)\.[jt]s$/.test(file)) {
        const { mtimeMs, size } = statSync(join(ROOT, name, file));
        hash.update(`${name}/${file} ${mtimeMs} ${size}\n`);
      }
  return hash.digest('hex').slice(0, 16);
}

/** @returns the folder of the compiled programs */
async function compile() {
  const folder = join(CACHE, `programs-${versionOfSources()}`);
  if (existsSync(folder)) return folder;
  const { build } = await import('esbuild');
  /** esbuild cannot be bundled. */
  const esbuild = fileURLToPath(import.meta.resolve('esbuild'));
  const unfinished = `${folder}-${process.pid}`;
  const { outputFiles } = await build({
    write: false,
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: unfinished,
    outbase: ROOT,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'silent',
    external: ['chdb', 'ffi-rs', esbuild],
    alias: { esbuild },
    banner: {
      js: "import * as modules from 'node:module'; const require = modules.createRequire(import.meta.url);",
    },
    outExtension: { '.js': '.mjs' },
    plugins: [
      {
        name: 'programs',
        setup({ onLoad, onResolve }) {
          onLoad({ filter: /\.[jt]s$/ }, load);
          // Where a package of CommonJS is imported on demand, the compiler gives it no names of its own; Node does.
          onResolve({ filter: /^[^./]/ }, ({ kind }) => (kind === 'dynamic-import' ? { external: true } : undefined));
        },
      },
    ],
  });
  try {
    for (const { path, contents } of outputFiles) {
      await mkdir(dirname(path), { recursive: true });
      // Else the folder could have empty files after a power failure: a program that does nothing ends with exit code 0.
      await writeFile(path, contents, { flush: true });
    }
    await rename(unfinished, folder);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    // Several processes may compile at the same time: the first one wins.
    if (!existsSync(folder)) throw error;
  }
  for (const name of await readdir(CACHE)) {
    const path = join(CACHE, name);
    const isOld = name.startsWith('programs-') && statSync(path).mtimeMs < Date.now() - KEPT;
    if (isOld) await rm(path, { recursive: true, force: true });
  }
  return folder;
}

/**
 * Keeps `import.meta.url` the address of the source, so that a compiled file finds the files beside it. Reads one file at a time,
 * because the limit of open files can be low; the program itself reports that.
 *
 * @param {{ readonly path: string }} file
 */
function load({ path }) {
  const source = readFileSync(path, 'utf8');
  return {
    loader: path.endsWith('.ts') ? /** @type {const} */ ('ts') : /** @type {const} */ ('js'),
    contents: source.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
  };
}
