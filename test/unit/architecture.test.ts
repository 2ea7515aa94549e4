import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Who may stand on what: the house in one table. A name without a dot is a folder or an npm package. */
type Rule = { readonly who: RegExp; readonly mayNot: RegExp; readonly because: string };

const RULES: readonly Rule[] = [
  { who: /^clickhouse\//, mayNot: /^(api|loader)\//, because: 'the floor knows nobody who stands on it' },
  {
    who: /^clickhouse\/(?!embedded\/)/,
    mayNot: /^(chdb|ffi-rs)$/,
    because: 'only the embedded engine loads libraries',
  },
  {
    who: /^clickhouse\/(?!schema-validator\.ts)/,
    mayNot: /^(koa|@koa\/router|ioredis|ajv|rate-limiter-flexible)$/,
    because: 'the storage module knows SQL and the validation of settings only',
  },
  { who: /^api\//, mayNot: /^loader\//, because: 'the two programs never meet' },
  { who: /^loader\//, mayNot: /^api\//, because: 'the two programs never meet' },
  {
    who: /^loader\/decode/,
    mayNot: /^(clickhouse\/(?!model\/)|loader\/(?!decode))/,
    because: 'a decoder reads text and nothing else',
  },
  {
    who: /^api\/(?!connections\.ts|auth\/keys-command\.ts)/,
    mayNot: /^ioredis$/,
    because: 'connections are opened in one place',
  },
  { who: /^(api|loader|clickhouse)\//, mayNot: /^test\//, because: 'the product does not lean on its tests' },
];

const FORBIDDEN_NAMES = /(^|\/)(utils?|common|lib|types|helpers?|index)(\.ts|\/)/;

function sources(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

/** What runs: types alone bind nobody. Paths of the project are given from its root, packages by name. */
function importsOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^(?:import|export) (?!type )[^;]*?'([^']+)'|\bimport\('([^']+)'\)/gm)]
    .map(([, stated, loaded]) => stated ?? loaded ?? '')
    .map((target) => (target.startsWith('.') ? relative(root, join(root, dirname(file), target)) : target));
}

const files = ['api', 'clickhouse', 'loader'].flatMap(sources);

describe('the house', () => {
  it('has two programs over one floor', () => {
    for (const folder of ['api/', 'clickhouse/', 'loader/'])
      assert.ok(files.some((file) => file.startsWith(folder)));
  });

  for (const { who, mayNot, because } of RULES)
    it(`keeps ${who.source} apart from ${mayNot.source}: ${because}`, () => {
      const concerned = files.filter((file) => who.test(file));
      assert.ok(concerned.length > 0, 'the rule applies to no file');
      const breaches = concerned.flatMap((file) =>
        importsOf(file)
          .filter((target) => mayNot.test(target))
          .map((target) => `${file} imports ${target}`),
      );
      assert.deepEqual(breaches, []);
    });

  it('reads the environment in config.ts and in the entry points of processes alone', () => {
    const readers = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('process.env'));
    const allowed = /(^|\/)(config|main)\.ts$|^clickhouse\/embedded\//;
    assert.deepEqual(
      readers.filter((file) => !allowed.test(file)),
      [],
    );
  });

  it('keeps SQL on the floor', () => {
    const speakers = files.filter((file) =>
      /\b(SELECT|INSERT INTO|ALTER TABLE)\s+[\w(*]/.test(readFileSync(join(root, file), 'utf8')),
    );
    assert.deepEqual(
      speakers.filter((file) => !file.startsWith('clickhouse/')),
      [],
    );
  });

  it('gives every file a name that says what is in it', () => {
    assert.deepEqual(
      files.filter((file) => FORBIDDEN_NAMES.test(file)),
      [],
    );
  });
});
