import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
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

  // Of a fresh clone: the TypeScript runner has compiled no file, and cannot.
  for (const [program, script] of [
    ['api', 'npm start'],
    ['loader', 'npm run load -- status'],
  ] as const)
    it(`ends the ${program} at once, whatever has been compiled before`, async () => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
        scripts: Record<string, string>;
      };
      const [, name = 'start', more = ''] = /^npm (?:run )?(\w+)(?: --(.*))?$/.exec(script) ?? [];
      const command = `ulimit -n 64; ${scripts[name]}${more}`;
      const env = {
        ...process.env,
        TMPDIR: newFolder(),
        DATA_DIR: join(newFolder(), 'data'),
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
