import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newFolder } from '../support/test-run.ts';

describe('the report of a run of tests', () => {
  it('counts a declared test without a result as failed, with processes that run several files each', async () => {
    const folder = newFolder();
    // A process keeps the first file's `it`, whose tests nobody runs once that file has ended.
    const source = (name: string) =>
      `globalThis.first ??= it; first('${name}', () => {}); it('another', () => {});`;
    const files = ['a', 'b', 'c'].map((name) => join(folder, `${name}.mjs`));
    for (const file of files) await writeFile(file, source(file));
    const { TEST_RUN_DIR, ...env } = process.env;
    const { status, stdout } = spawnSync('npx', ['mocha', '--parallel', '--jobs', '2', ...files], {
      env,
      encoding: 'utf8',
    });
    const lost = [...stdout.matchAll(/^No result: .*$/gm)].length;
    assert.ok(lost > 0, stdout);
    assert.equal(status, lost);
    assert.match(stdout, new RegExp(`\n${6 - lost} passed, ${lost} failed\n$`));
  });
});
