import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireOpenFiles } from '../../../../clickhouse/embedded/open-files.ts';
import { freePort } from '../../../support/engine/engine.ts';
import { ROOT } from '../../../support/process.ts';
import { newFolder } from '../../../support/test-run.ts';

const REMEDY = /may open 64 files, .* at least 512: raise the limit, as by `ulimit -n 4192`/;

describe('a low limit of open files', () => {
  it('is refused before an engine starts, with what to change', () => {
    assert.throws(() => requireOpenFiles(64), { message: REMEDY });
    requireOpenFiles(512);
    requireOpenFiles(Number.POSITIVE_INFINITY);
  });

  for (const [program, script] of [
    ['api', 'api/main.ts'],
    ['loader', 'loader/main.ts status'],
  ] as const)
    it(`ends the ${program} at once`, async () => {
      const command = `ulimit -n 64; exec ${process.execPath} --import tsx ${script}`;
      const env = {
        ...process.env,
        DATA_DIR: join(await newFolder(), 'data'),
        EMBEDDED_CLICKHOUSE_PORT: String(await freePort()),
        PORT: '0',
      };
      const run = promisify(execFile)('bash', ['-c', command], { cwd: ROOT, env, timeout: 60_000 });
      await assert.rejects(run, (error: { code: number; stderr: string }) => {
        assert.equal(error.code, 1);
        assert.match(error.stderr, REMEDY);
        return true;
      });
    });
});
