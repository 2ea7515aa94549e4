import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS as API_SETTINGS } from '../../api/config.ts';
import { parametersOf } from '../../api/contract/parameters.ts';
import { COVERAGE } from '../../api/coverage/endpoint.ts';
import { PATHS } from '../../api/docs/openapi/paths.ts';
import { OBSERVATIONS } from '../../api/observations/endpoint.ts';
import { PROBLEMS } from '../../api/problem.ts';
import { DAILY_RECORDS, HOURLY } from '../../api/series/endpoint.ts';
import { STATIONS } from '../../api/stations/endpoint.ts';
import { STATISTICS } from '../../api/statistics/endpoint.ts';
import { readCommandLine } from '../../loader/command-line.ts';
import { SETTINGS as LOADER_SETTINGS } from '../../loader/config.ts';
import { PUBLISHERS, SOURCE_NAMES } from '../../loader/sources/registry.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const DOCUMENTS = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...['docs', 'test/bench'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive: true })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

const read = (name: string) => readFileSync(join(ROOT, name), 'utf8');
const readGuides = () =>
  DOCUMENTS.filter((name) => name.startsWith('docs/guide/'))
    .map(read)
    .join();

/** The names of this list that the document does not have in backquotes. */
function missing(document: string, names: readonly string[]): readonly string[] {
  const text = read(document);
  assert.ok(names.length > 0);
  return names.filter((name) => !text.includes(`\`${name}\``));
}

describe('documents', () => {
  it('explain every setting of api and loader', () => {
    const names = Object.keys({ ...API_SETTINGS, ...LOADER_SETTINGS });
    assert.deepEqual(missing('docs/operations.md', names), []);
  });

  it('explain every source', () => assert.deepEqual(missing('docs/loading.md', SOURCE_NAMES), []));

  it('name all who publish the reports, as the page at `/` does', () => {
    for (const name of ['README.md', 'api/explorer/page.html'])
      assert.ok(read(name).replace(/\s+/g, ' ').includes(` ${PUBLISHERS} collect them`), name);
  });

  it('explain every command of the loader', () => {
    const help = readCommandLine(['--help']);
    const [, list = ''] = /\nCommands:\n([\s\S]+?)\n\n/.exec(help.kind === 'help' ? help.text : '') ?? [];
    const names = [...list.matchAll(/^ {2}([a-z][a-z-]*) /gm)].map(([, name]) => name);
    assert.ok(names.includes('help') && names.includes('follow'));
    const text = read('docs/loading.md') + read('docs/operations.md');
    const isExplained = (name = '') => new RegExp(`(\`|load -- |npm run )${name}\\b`).test(text);
    assert.deepEqual(
      names.filter((name) => name !== 'help' && !isExplained(name)),
      [],
    );
  });

  it('explain every error code', () =>
    assert.deepEqual(missing('docs/guide/errors.md', Object.keys(PROBLEMS)), []));

  it('explain every endpoint', () => {
    const guides = readGuides();
    assert.deepEqual(
      Object.keys(PATHS).filter((path) => !guides.includes(path.replace(/\.\w+$/, ''))),
      [],
    );
  });

  it('explain every query parameter of reports', () => {
    const guides = readGuides();
    for (const { name } of parametersOf(OBSERVATIONS.parameters))
      assert.match(guides, new RegExp(`\\W${name}\\W`), `no guide names ${name}`);
  });

  for (const [endpoint, { parameters }] of [
    ...[STATIONS, COVERAGE, HOURLY, STATISTICS].map((each) => [each.name, each] as const),
    ['days', DAILY_RECORDS] as const,
  ])
    it(`explain every query parameter in the guide ${endpoint}`, () => {
      const guide = read(`docs/guide/${endpoint}.md`);
      assert.deepEqual(
        parametersOf(parameters).filter(({ name }) => !new RegExp(`\\W${name}\\W`).test(guide)),
        [],
      );
    });

  it('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const document of DOCUMENTS) {
      const named = [...read(document).matchAll(/npm (?:run )?(start|test|(?<=run )[a-z:]+)\b/g)];
      for (const [, name = ''] of named) assert.ok(name in scripts, `${document} names ${name}`);
    }
  });

  it('link only to files and headings that exist', () => {
    const anchor = (heading: string) =>
      heading
        .toLowerCase()
        .replace(/[^\w\s-]/g, '')
        .replace(/\s/g, '-');
    for (const document of DOCUMENTS)
      for (const [, path = '', heading] of read(document).matchAll(/\]\((?!https?:)([^)#]*)#?([^)]*)\)/g)) {
        const target = path === '' ? document : join(dirname(document), path);
        assert.ok(existsSync(join(ROOT, target)), `${document} links to ${target}`);
        if (heading === '') continue;
        const headings = [...read(target).matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => anchor(text));
        assert.ok(headings.includes(heading ?? ''), `${document} links to ${target}#${heading}`);
      }
  });

  it('name only source files and folders that exist', () => {
    for (const document of DOCUMENTS)
      for (const [, path = ''] of read(document).matchAll(
        /`((?:api|clickhouse|loader|test|docs)\/[\w./-]*)`/g,
      ))
        assert.ok(existsSync(join(ROOT, path)), `${document} names ${path}`);
  });
});

describe('package.json', () => {
  it('has scripts that run files that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const files = Object.values(scripts).flatMap((command) => command.match(/\S+\.ts\b/g) ?? []);
    const named = files.filter((file) => !file.includes('*'));
    assert.ok(named.length > 0);
    for (const file of named) assert.ok(existsSync(join(ROOT, file)), file);
  });
});
