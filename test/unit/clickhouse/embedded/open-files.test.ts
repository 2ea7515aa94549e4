import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../../support/engine/engine.ts';
import { ROOT } from '../../../support/process.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('a low limit of files', () => {
  // Of a fresh clone: the TypeScript runner has compiled no file, and cannot.
  for (const [program, script, limit, message] of [
    [
      'api',
      'npm start',
      '-n 64',
      /"open files" 64, .* at least 512: raise the limit, as by `ulimit -n 4192`/,
    ],
    ['loader', 'npm run load -- status', '-f 64', /"file size" 65536, .*: raise .*`ulimit -f unlimited`/],
  ] as const)
    it(`ends the ${program} at once, with what to change, whatever has been compiled before`, async () => {
      const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
        scripts: Record<string, string>;
      };
      const [, name = 'start', more = ''] = /^npm (?:run )?(\w+)(?: --(.*))?$/.exec(script) ?? [];
      const command = `ulimit ${limit}; ${scripts[name]}${more}`;
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
        assert.match(error.stderr, message);
        return true;
      });
    });
});
