import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { ROOT } from '../../support/process.ts';

describe('exit code of the loader', () => {
  it('is 1 after work that nothing can end', () => {
    const program = `
      import { exitWithReason } from './loader/exit-codes.ts';
      await exitWithReason(new Promise(() => {}), (line) => console.error(line));`;
    const options = ['--import', 'tsx', '--input-type=module', '--eval', program];
    const { status, stderr } = spawnSync(process.execPath, options, { cwd: ROOT, encoding: 'utf8' });
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^The loader stopped before its work was done/);
  });
});
