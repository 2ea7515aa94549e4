import assert from 'node:assert/strict';
import { stat, writeFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { measureSilence, prepareDataDir } from '../../../../clickhouse/embedded/join.ts';
import { memoryEnvironment } from '../../../../clickhouse/embedded/start.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('silence of an engine', () => {
  it('lasts from the last ping that was answered', () => {
    const silence = measureSilence(0);
    assert.equal(silence(true, 5_000), 0);
    assert.equal(silence(false, 12_000), 7_000);
    assert.equal(silence(false, 19_000), 14_000);
    assert.equal(silence(true, 20_000), 0);
    assert.equal(silence(false, 27_000), 7_000);
  });

  it('begins anew after a gap in the pings, because this process did not run either', () => {
    const silence = measureSilence(0);
    assert.equal(silence(false, 7_000), 7_000);
    assert.equal(silence(false, 3_600_000), 0);
    assert.equal(silence(false, 3_607_000), 7_000);
  });
});

describe('the memory of an engine', () => {
  it('is half of that of the machine or container, and a tenth of that for files', () => {
    assert.deepEqual(memoryEnvironment(2 ** 30), {
      HISTORY_ENGINE_MEMORY: String(2 ** 30),
      HISTORY_ENGINE_CACHE: '107374182',
    });
    const bytes = Number(memoryEnvironment().HISTORY_ENGINE_MEMORY);
    assert.ok(bytes > 0 && bytes <= totalmem() / 2, `${bytes}`);
  });
});

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
