import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** Runs a program whose work is this promise. */
function run(work: string) {
  const program = `
    import { exitWithReason } from './loader/exit-codes.ts';
    await exitWithReason(${work}, (line) => console.error(line));`;
  const options = ['--import', 'tsx', '--input-type=module', '--eval', program];
  const { status, stderr } = spawnSync(process.execPath, options, { cwd: ROOT, encoding: 'utf8' });
  return { status, stderr };
}

describe('exit code of the loader', () => {
  for (const [what, work, code, message] of [
    ['done work', "Promise.resolve('done')", 0, /^$/],
    ['an interruption', "Promise.resolve('interrupted')", 130, /^Interrupted\. /],
    ['work that nothing can end', 'new Promise(() => {})', 1, /^The loader stopped before its work was done/],
  ] as const)
    it(`is ${code} after ${what}`, () => {
      const { status, stderr } = run(work);
      assert.equal(status, code, stderr);
      assert.match(stderr.split('\n')[0] ?? '', message);
    });
});
