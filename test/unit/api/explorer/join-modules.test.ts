import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { joinModules } from '../../../../api/explorer/join-modules.ts';

describe('modules of the page that are joined', () => {
  let folder: string;
  const locate = (path: string) => pathToFileURL(join(folder, path.replaceAll('/', '_')));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'modules-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** Writes modules, which only joining can find: their paths are no paths of files. */
  async function write(modules: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(modules)) await writeFile(locate(path), text);
  }

  const run = (text: string) => import(`data:text/javascript,${encodeURIComponent(text)}`);

  it('keep their scopes, and export what the first of them exports', async () => {
    await write({
      '/a/main.js': [
        "import { name as other, twice } from './deep/b.js';",
        "import * as all from './deep/b.js';",
        "import {\n  minified,\n} from '/c.js';",
        "const name = 'a';",
        "export { list } from './deep/b.js';",
        'export async function both() {\n  return [name, other, twice(3), all.name, minified];\n}',
      ].join('\n'),
      '/a/deep/b.js': [
        "import { minified } from '/c.js';",
        "export const name = 'b' + minified;",
        'export const twice = (x) => 2 * x;',
        'export class List {}',
        'export const list = [new List()];',
      ].join('\n'),
      '/c.js': 'var e=1;export{e as minified,e as other};',
    });
    const { text, paths } = await joinModules('/a/main.js', locate);
    const { both, list, modules } = await run(text);
    assert.deepEqual(await both(), ['a', 'b1', 6, 'b1', 1]);
    assert.equal(list.length, 1);
    assert.deepEqual(paths, ['/c.js', '/a/deep/b.js', '/a/main.js']);
    assert.deepEqual(Object.keys(modules), paths);
  });

  it('are those of another script where it has them', async () => {
    await write({
      '/main.js': "import { state } from './state.js';\nexport const first = state;",
      '/state.js': 'export const state = {};',
      '/more.js': "import { state } from './state.js';\nexport const second = state;",
    });
    const main = await joinModules('/main.js', locate);
    const path = `data:text/javascript;base64,${Buffer.from(main.text).toString('base64')}`;
    const more = await joinModules('/more.js', locate, { path, ...main });
    const [{ first }, { second }] = [await import(path), await run(more.text)];
    assert.equal(first, second);
    assert.doesNotMatch(more.text, /state = \{\}/);
  });

  it('are refused with an import or export of another form', async () => {
    for (const text of ["import 'x';", 'export default 1;', "export * from './b.js';"]) {
      await write({ '/a.js': text, '/b.js': '' });
      await assert.rejects(joinModules('/a.js', locate), SyntaxError, text);
    }
  });
});
