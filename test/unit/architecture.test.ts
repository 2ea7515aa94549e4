import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** What the files of a module may depend on; packages by name, files by path. `node:` and the module itself are allowed. */
type Rule = { readonly module: string; readonly files: RegExp; readonly mayUse: RegExp };

/** The first rule that matches a file holds for it. */
const RULES: readonly Rule[] = [
  // The storage module: the only one with SQL, common to both programs.
  { module: 'validation', files: /^clickhouse\/validation\.ts$/, mayUse: /^ajv$/ },
  {
    module: 'manifest',
    files: /^clickhouse\/snapshot\/manifest\.ts$/,
    mayUse: /^(ajv|clickhouse\/(snapshot|model)\/.*)$/,
  },
  { module: 'embedded engine', files: /^clickhouse\/embedded\//, mayUse: /^(ffi-rs|chdb|clickhouse\/.*)$/ },
  {
    module: 'start of programs',
    files: /^clickhouse\/(program-arguments|typescript-program|program)\.[jt]s$/,
    mayUse: /^(esbuild|tsx\/esm\/api|@commander-js\/extra-typings|clickhouse\/program\.js)$/,
  },
  { module: 'model', files: /^clickhouse\/model\//, mayUse: /^clickhouse\/model\// },
  {
    module: 'observations, coverage and stations',
    files: /^clickhouse\/((observations|coverage)\/|stations\.ts)/,
    mayUse:
      /^(lru-cache|hyparquet(-writer(\/src\/metadata\.js)?)?|clickhouse\/(?!embedded\/|validation\.ts).*)$/,
  },
  { module: 'concurrency', files: /^clickhouse\/concurrency\.ts$/, mayUse: /^$/ },
  {
    module: 'ClickHouse client',
    files: /^clickhouse\/(answer|archive|one-server|errors|native-blocks)\.ts$/,
    mayUse: /^(@clickhouse\/client|clickhouse\/(answer|archive|errors|native-blocks)\.ts)$/,
  },
  {
    module: 'zones',
    files: /^clickhouse\/zones\//,
    mayUse:
      /^(@photostructure\/tz-lookup|clickhouse\/(model\/.*|(archive|group-by|stations)\.ts|zones\/.*))$/,
  },
  { module: 'storage', files: /^clickhouse\//, mayUse: /^clickhouse\// },

  // The api: stages, then routes, then what wires them.
  {
    module: 'rate limit',
    files: /^api\/rate-limit\//,
    mayUse: /^(rate-limiter-flexible|ioredis|api\/(rate-limit\/.*|problem\.ts))$/,
  },
  {
    module: 'keys command',
    files: /^api\/auth\/keys-(command|program)\.ts$/,
    mayUse:
      /^(@commander-js\/extra-typings|ioredis|api\/(auth|rate-limit|usage)\/.*|api\/(config|redis)\.ts|clickhouse\/program-arguments\.ts)$/,
  },
  {
    module: 'usage of keys',
    files: /^api\/usage\//,
    mayUse: /^(ioredis|api\/usage\/.*|api\/ops\/log\.ts|clickhouse\/durable-file\.ts)$/,
  },
  {
    module: 'authentication',
    files: /^api\/auth\//,
    mayUse:
      /^(ioredis|api\/auth\/.*|api\/rate-limit\/.*|api\/problem\.ts|api\/ops\/(circuit-breakers|log)\.ts|clickhouse\/(durable-file|concurrency)\.ts)$/,
  },
  {
    module: 'operations',
    files: /^api\/ops\//,
    mayUse:
      /^(prom-client|api\/ops\/.*|api\/problem\.ts|clickhouse\/(archive|disk-space|errors|concurrency|coverage\/report-counts)\.ts)$/,
  },
  {
    module: 'http',
    files: /^api\/http\//,
    mayUse:
      /^(koa|lru-cache|@koa\/router|api\/(http|ops|rate-limit)\/.*|api\/(config|problem|auth\/authenticate|usage\/usage)\.ts|clickhouse\/(archive|concurrency|metrics-server)\.ts|clickhouse\/embedded\/open-files\.ts)$/,
  },
  {
    module: 'contract',
    files: /^api\/contract\//,
    mayUse:
      /^(api\/contract\/.*|api\/(problem|http\/http-request|rate-limit\/rate-limit)\.ts|clickhouse\/((conditions|days|model|observations|statistics|zones)\/.*|(hourly|stations|validation)\.ts))$/,
  },
  {
    module: 'documents',
    files: /^api\/docs\//,
    mayUse:
      /^(ajv|marked|marked-gfm-heading-id|swagger-ui-dist|package\.json|docs\/guide|assets\/|api\/client(\/.*)?|api\/(docs|contract|files|http|observations|rate-limit)\/.*|api\/((series|statistics)\/endpoint|endpoints|problem)\.ts|clickhouse\/((days|model)\/.*|statistics\/question\.ts))$/,
  },
  {
    module: 'explorer',
    files: /^api\/explorer\//,
    mayUse:
      /^(d3-array|d3-selection|d3-zoom|esbuild|htm\/preact\/standalone|lru-cache|suncalc|topojson-(client|specification)|world-atlas\/.*|api\/(archive|explorer|http)\/.*|assets\/|page\.html|api\/ops\/shared-read\.ts|api\/client(\/.*)?)$/,
  },
  { module: 'client', files: /^api\/client\//, mayUse: /^api\/client\// },
  {
    module: 'files',
    files: /^api\/files\//,
    mayUse:
      /^(koa|api\/(answers|files|contract|http|ops)\/.*|api\/(compose|problem)\.ts|clickhouse\/snapshot\/manifest\.ts)$/,
  },
  // Every other folder of the api is an endpoint, or `answers`: what they share. They see of `compose.ts` only a type.
  {
    module: 'endpoints',
    files: /^api\/[^/]+\//,
    mayUse:
      /^(koa|lru-cache|api\/(?!auth|client|docs|explorer|rate-limit|usage)[a-z]+\/.*|api\/(compose|problem|rate-limit\/rate-limit)\.ts|clickhouse\/(conditions|coverage|days|model|observations|statistics|zones)\/.*|clickhouse\/(archive|concurrency|grid-rows|hourly|server-time|stations|validation)\.ts)$/,
  },
  // The one place that starts the loader.
  { module: 'demo', files: /^api\/demo\.ts$/, mayUse: /^(api\/.*|clickhouse\/.*|loader\/main\.ts)$/ },
  { module: 'api', files: /^api\/[^/]+\.ts$/, mayUse: /^(koa|ioredis|prom-client|api\/.*|clickhouse\/.*)$/ },

  // The loader.
  {
    module: 'decoder',
    files: /^loader\/decode(\.ts|\/)/,
    mayUse: /^(loader\/decode\/.*|clickhouse\/model\/.*)$/,
  },
  {
    module: 'sources',
    files: /^loader\/sources\//,
    mayUse:
      /^(netcdfjs|saxes|tar-stream|loader\/sources\/.*|clickhouse\/(group-by\.ts|model\/.*|coverage\/station-listings\.ts|stations\.ts|zones\/zone-offsets\.ts))$/,
  },
  {
    module: 'requests to sources',
    files: /^loader\/http\//,
    mayUse: /^(loader\/(http\/.*|sources\/source\.ts|clocks\.ts)|clickhouse\/errors\.ts)$/,
  },
  {
    module: 'progress',
    files: /^loader\/progress\//,
    mayUse:
      /^(loader\/(progress|http)\/.*|loader\/(config|wording)\.ts|clickhouse\/model\/day\.ts|loader\/sources\/source\.ts)$/,
  },
  {
    module: 'arguments',
    files: /^loader\/args\//,
    mayUse:
      /^(@commander-js\/extra-typings|loader\/(args|sources)\/.*|loader\/(config|exit-codes|interruption|progress\/display)\.ts|clickhouse\/.*)$/,
  },
  {
    module: 'commands',
    files: /^loader\/(command-line\.ts|commands\/)/,
    mayUse: /^(@commander-js\/extra-typings|loader\/.*|clickhouse\/.*)$/,
  },
  { module: 'follow', files: /^loader\/follow\//, mayUse: /^(prom-client|loader\/.*|clickhouse\/.*)$/ },
  { module: 'loader', files: /^loader\//, mayUse: /^(loader\/.*|clickhouse\/.*)$/ },
];

/** Imports and re-exports, types included; modules and files that are loaded by path or URL. */
const DEPENDENCY =
  /^(?:import|export)\b[^'";]*?\bfrom '([^'\n]+)'|^import '([^'\n]+)'|\bimport\('([^'\n]+)'\)|\bnew URL\(\s*'([^'\n]+)'|\bresolve\('([^'\n]+)'\)/gm;

const TESTS = ['test/unit', 'test/integration', 'test/durability'];
const FORBIDDEN_NAMES = /(^|\/)(utils?|common|lib|types|helpers?|index)(\.[jt]s|\/)/;

function filesOf(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.[jt]s$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)));
}

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

function dependenciesOf(file: string): readonly string[] {
  return [...read(file).matchAll(DEPENDENCY)]
    .map((match) => match.slice(1).find((target) => target !== undefined) ?? '')
    .filter((target) => !target.startsWith('node:'))
    .map((target) => (target.startsWith('.') ? relative(ROOT, join(ROOT, dirname(file), target)) : target));
}

const FILES = ['api', 'clickhouse', 'loader'].flatMap(filesOf);

describe('architecture', () => {
  it('finds imports, type imports, URLs and resolved packages', () => {
    assert.ok(dependenciesOf('clickhouse/archive.ts').includes('@clickhouse/client'), 'a type import');
    assert.ok(dependenciesOf('api/demo.ts').includes('loader/main.ts'), 'a URL');
    assert.ok(dependenciesOf('clickhouse/embedded/library.ts').includes('chdb'), 'a resolved package');
  });

  it('has a rule for every file', () => {
    const without = FILES.filter((file) => !RULES.some(({ files }) => files.test(file)));
    assert.deepEqual(without, []);
  });

  for (const rule of RULES)
    it(`limits the dependencies of: ${rule.module}`, () => {
      const files = FILES.filter((file) => RULES.find((each) => each.files.test(file)) === rule);
      assert.ok(files.length > 0, 'the rule applies to no file');
      const breaches = files.flatMap((file) =>
        dependenciesOf(file)
          .filter((target) => !rule.mayUse.test(target))
          .map((target) => `${file} uses ${target}`),
      );
      assert.deepEqual(breaches, []);
    });

  it('reads the environment in config.ts and in the entry points of processes only', () => {
    const allowed =
      /(^|\/)(config|main)\.ts$|^api\/auth\/keys-command\.ts$|^clickhouse\/embedded\/start\.ts$/;
    const readers = FILES.filter((file) => read(file).includes('process.env'));
    assert.ok(readers.includes('api/config.ts'));
    assert.deepEqual(
      readers.filter((file) => !allowed.test(file)),
      [],
    );
  });

  it('has SQL in the storage module only', () => {
    const withSql = FILES.filter((file) => /\b(SELECT|INSERT INTO|ALTER TABLE)\s+[\w(*]/.test(read(file)));
    assert.ok(withSql.length > 0);
    assert.deepEqual(
      withSql.filter((file) => !file.startsWith('clickhouse/')),
      [],
    );
  });

  it('gives no file a name that says nothing', () => {
    const files = [...FILES, ...[...TESTS, 'test/support', 'test/bench'].flatMap(filesOf)];
    assert.deepEqual(
      files.filter((file) => FORBIDDEN_NAMES.test(file)),
      [],
    );
  });

  it('has the tests of a file at the same path', () => {
    const folders = new Set(FILES.map((file) => dirname(file)));
    const tests = TESTS.flatMap((folder) => filesOf(folder).map((file) => relative(folder, dirname(file))));
    assert.deepEqual(
      [...new Set(tests)].filter((folder) => folder !== '' && !folders.has(folder)),
      [],
    );
  });
});
