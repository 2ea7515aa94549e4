import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { newFolder } from '../../support/test-run.ts';

const ROOT = join(import.meta.dirname, '../../..');
const SOURCES = ['api/main', 'api/auth/keys-command', 'loader/main', 'clickhouse/client'];
const OF_ENGINE = ['clickhouse/embedded/main', 'clickhouse/embedded/join'];

describe('the start of a program', () => {
  it('compiles sources that have changed, and runs them where nothing can be written', () => {
    const root = newFolder();
    const write = (name: string, text: string) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
    };
    for (const name of ['package.json', 'clickhouse/program.js']) cpSync(join(ROOT, name), join(root, name));
    for (const name of [...SOURCES, ...OF_ENGINE]) write(`${name}.ts`, '');
    write('package-lock.json', '{}');
    mkdirSync(join(root, 'node_modules'));
    for (const name of ['esbuild', 'tsx'])
      symlinkSync(join(ROOT, 'node_modules', name), join(root, 'node_modules', name));
    write('node_modules/old/index.js', "exports.greeting = 'hello';");
    const cache = join(root, 'node_modules/.cache');
    const link = join(newFolder(), 'link');
    symlinkSync(root, link);
    const start = (from = '.', program = join(from, 'loader/main.ts')) =>
      `${execFileSync(process.execPath, [join(from, 'clickhouse/program.js'), program, 'status'], { cwd: root })}`;
    const printing = (text: string) =>
      `import { basename } from 'node:path'; const text: string = '${text}'; const { greeting } = await import('old'); console.log(greeting, text, ...process.argv.slice(2), basename(import.meta.url));`;

    for (const text of ['first', 'the second']) {
      write('loader/main.ts', printing(text));
      for (const from of ['.', link]) assert.equal(start(from), `hello ${text} status main.ts\n`);
    }
    assert.equal(readdirSync(cache).length, 2);
    const outside = join(newFolder(), 'other.mts');
    writeFileSync(outside, "const text: string = 'outside'; console.log(text);");
    assert.equal(start('.', outside), 'outside\n');

    rmSync(cache, { recursive: true });
    writeFileSync(cache, '');
    assert.equal(start(), 'hello the second status main.ts\n');
  });
});
