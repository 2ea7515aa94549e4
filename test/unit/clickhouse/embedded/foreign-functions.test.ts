import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { makeFifo, tryLock } from '../../../../clickhouse/embedded/foreign-functions.ts';

describe('foreign functions', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'libc-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('a lock is given to one at a time', () => {
    const path = join(folder, 'lock');
    const release = tryLock(path) ?? assert.fail('nothing has the lock');
    assert.equal(tryLock(path), undefined);
    release();
    const again = tryLock(path) ?? assert.fail('the lock was released');
    again();
  });

  it('a FIFO that cannot be made is an error that names it', () => {
    assert.throws(() => makeFifo(join(folder, 'absent', 'fifo')), /absent\/fifo cannot be made/);
  });
});
