import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demo } from '../../../../loader/sources/demo/demo.ts';
import { OBSERVATIONS, startApi, type TestApi } from '../../../support/api/api.ts';
import { useArchive } from '../../../support/archive/archive.ts';
import { pythonFromPypi, usesPypi } from '../../../support/documents/python.ts';
import { missingFor, runSnippet, type Snippet, snippetsOf } from '../../../support/documents/snippets.ts';
import { startFaultyProxy } from '../../../support/faulty-proxy.ts';
import { loadDemo, loadWith } from '../../../support/loader/run-load.ts';
import { exportTo } from '../../../support/snapshot/snapshot.ts';
import { newFolder } from '../../../support/test-run.ts';

const FOLDER = fileURLToPath(new URL('../../../../docs/guide/', import.meta.url));
/** The address of the service in the guides. */
const ADDRESS = 'http://127.0.0.1:8080';

/** The snippets of the clients are run by their own tests, which install them. */
const GUIDES = [
  ...readdirSync(FOLDER)
    .filter((name) => name !== 'client.md' && name !== 'python.md')
    .map((name) => ({ name, snippets: snippetsOf(readFileSync(join(FOLDER, name), 'utf8')) })),
  { name: 'README.md', snippets: snippetsOf(readFileSync(join(FOLDER, '../../README.md'), 'utf8')) },
];
const ofGuide = (name: string, language: string): string =>
  GUIDES.find((guide) => guide.name === name)?.snippets.find((each) => each.language === language)?.code ??
  assert.fail(`${name} has no ${language}`);
const REQUESTS = GUIDES.map(({ name, snippets }) => ({
  name,
  snippets: snippets.filter(
    ({ code, language }) => code.includes(ADDRESS) || code.includes('reports.parquet') || language === 'sql',
  ),
}));

/** Requests that are followed by their answer. */
const EXAMPLES = GUIDES.flatMap(({ name, snippets }) =>
  snippets.flatMap((answer, at) => {
    const request = snippets[at - 1];
    return answer.language === 'json' && request?.language === 'sh' ? [{ name, request, answer }] : [];
  }),
);

describe('the snippets of the README and the guides', () => {
  const archive = useArchive();
  let api: TestApi;
  let folder: string;
  /** Of XAAA in 2024. */
  let reportsOfYear: number;
  before(async () => {
    await loadWith(archive.client, demo(), '--source demo --stations XAAA --from 2024-01-01 --to 2025-01-01');
    await loadDemo(archive.client);
    folder = newFolder();
    const archiveFiles = join(folder, 'snapshot');
    await exportTo(archive.client, archiveFiles);
    api = await startApi(archive.client, { archiveFiles });
    if (usesPypi) await pythonFromPypi();
    const year = `${OBSERVATIONS}.ndjson?stations=XAAA&from=2024-01-01T00:00:00Z&to=2025-01-01T00:00:00Z`;
    reportsOfYear = (await api.lines(year)).length;
  }).timeout(300_000);
  after(async () => {
    await api.stop();
  });

  const newKey = async () => ({ KEY: await api.createKey('starter') });

  const absent: Snippet[] = [];
  for (const { name, snippets } of REQUESTS)
    for (const [index, snippet] of snippets.entries()) {
      if (missingFor(snippet) !== undefined) {
        absent.push(snippet);
        continue;
      }
      it(`${name}: ${index + 1}, ${snippet.language}`, async () => {
        const code = snippet.code.replaceAll(ADDRESS, api.url);
        const printed = await runSnippet({ ...snippet, code }, folder, await newKey());
        // A problem would be printed as well.
        assert.doesNotMatch(printed, /\/docs\/errors\//);
        if (!snippet.code.includes(' -o ')) assert.match(printed, /XAA|complete|\d/);
        // The recipes say how many reports they have read: all of a range that is longer than a page without `limit`.
        if (name === 'formats.md' && snippet.language !== 'sh') {
          assert.ok(reportsOfYear > 1000, `${reportsOfYear} reports`);
          assert.match(printed, new RegExp(`\\b${reportsOfYear}\\b`), printed);
        }
      });
    }

  it(`run all but those that need: ${absent.map(missingFor).join(', ') || 'nothing'}`, () => {
    for (const { language } of absent) assert.ok(language === 'r' || language === 'python', language);
    const languages = new Set(REQUESTS.flatMap(({ snippets }) => snippets.map(({ language }) => language)));
    for (const language of ['sh', 'python', 'r', 'ts']) assert.ok(languages.has(language), language);
  });

  for (const { name, request, answer } of EXAMPLES)
    it(`show the answer that the demo really gives: ${name}`, async () => {
      const code = request.code.replaceAll(ADDRESS, api.url);
      const given = await runSnippet({ ...request, code }, folder, await newKey());
      // Only the cursor is shortened.
      const shown = given.replace(/("nextCursor":"WzE)[^"]*/, '$1…');
      assert.deepEqual(JSON.parse(shown), JSON.parse(answer.code));
    });

  it('have an example of an answer in the README and in the guide of statistics', () => {
    assert.deepEqual(EXAMPLES.map(({ name }) => name).sort(), ['README.md', 'statistics.md']);
  });

  it('draw a Grafana panel from rows that the service really answers', async () => {
    const query = JSON.parse(
      ofGuide('formats.md', 'json')
        .replace(/\$\{__from:date:iso\}/, '2024-01-01T00:00:00.000Z')
        .replace(/\$\{__to:date:iso\}/, '2024-01-02T00:00:00.000Z'),
    );
    assert.equal(query.root_selector, 'data');
    const rows = await api.rows(query.url);
    for (const { selector, type } of query.columns) {
      const isMeant = (value: unknown) =>
        type === 'number' ? typeof value === 'number' : Number.isFinite(Date.parse(String(value)));
      assert.ok(rows.filter((row) => isMeant(row[selector])).length > 5, selector);
    }
  });

  it('run as cells of the notebook, with the address of the service', async () => {
    const notebook = (await (await fetch(`${api.url}/client/python/notebook.ipynb`)).json()) as {
      readonly nbformat: number;
      readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[];
    };
    assert.equal(notebook.nbformat, 4);
    const [first = '', ...others] = notebook.cells
      .filter(({ cell_type }) => cell_type === 'code')
      .map(({ source }) => source.join(''));
    // As Jupyter does, each cell shows its last expression.
    const cells = [first, ...others.map((code) => code.replace(/.*$/, (last) => `print(${last})`))];
    const printed = await runSnippet({ language: 'python', code: cells.join('\n') }, folder, await newKey());
    for (const column of ['max_gust_ms', 'hour', 'wind_sector_deg', 'usable'])
      assert.match(printed, new RegExp(column));
    assert.doesNotMatch(printed, /Empty DataFrame/);
  });

  it('wait for the limit of the plan where they read a part of a file at a time', async () => {
    const proxy = await startFaultyProxy(api.url);
    const limited = { status: 429, retryAfter: '1' };
    proxy.faults.push(limited, undefined, limited, limited);
    const local = ofGuide('files.md', 'ts').replaceAll(ADDRESS, proxy.url);
    const printed = await runSnippet({ language: 'ts', code: local }, folder, await newKey());
    assert.match(printed, /XAAA/);
    assert.deepEqual(proxy.faults, []);
    await proxy.stop();
  });

  it('show the problem that the service really answers', async () => {
    const response = await api.get(
      `${OBSERVATIONS}?station=XAAA&from=2024-01-01T00:00:00Z&to=2024-01-02T00:00:00Z`,
    );
    const { requestId, ...problem } = JSON.parse(await response.text());
    assert.equal(typeof requestId, 'string');
    const { requestId: _, ...shown } = JSON.parse(ofGuide('errors.md', 'json'));
    assert.deepEqual(shown, problem);
  });
});
