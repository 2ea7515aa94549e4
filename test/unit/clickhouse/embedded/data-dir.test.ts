import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDataDir } from '../../../../clickhouse/embedded/join.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('DATA_DIR', () => {
  it('is created', async () => {
    const path = join(newFolder(), 'a', 'b');
    await prepareDataDir(path);
    assert.ok((await stat(path)).isDirectory());
    await prepareDataDir(path);
  });

  it('is named with what to change where it cannot be used', async () => {
    const file = join(newFolder(), 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below'), '/proc/data'])
      await assert.rejects(prepareDataDir(path), ({ message }: Error) => {
        assert.ok(message.startsWith(`DATA_DIR ${path} cannot be used: `), message);
        assert.match(message, /Set DATA_DIR to a folder that this user may write/);
        return true;
      });
  });
});
