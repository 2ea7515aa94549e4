import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { appendToFile, makeFolder, replaceFile } from '../../../clickhouse/durable-file.ts';
import { newFolder } from '../../support/test-run.ts';

/** What is on the disk at the moment of each sync: the kind of the synced file, and what `path` holds. */
type Sync = { readonly of: 'file' | 'folder'; readonly path: string | undefined };

describe('a file that survives a power failure (D49)', () => {
  let folder: string;
  let path: string;
  let syncs: Sync[];
  let prototype: FileHandle;
  let sync: FileHandle['sync'];
  beforeEach(async () => {
    folder = newFolder();
    path = join(folder, 'file');
    syncs = [];
    const handle = await open(folder);
    prototype = Object.getPrototypeOf(handle);
    await handle.close();
    sync = prototype.sync;
    prototype.sync = async function (this: FileHandle) {
      const of = (await this.stat()).isDirectory() ? 'folder' : 'file';
      syncs.push({ of, path: existsSync(path) ? readFileSync(path, 'utf8') : undefined });
      return sync.call(this);
    };
  });
  afterEach(async () => {
    prototype.sync = sync;
  });

  it('is synced before it takes the place of the old one, and its folder after that', async () => {
    await writeFile(path, 'old');
    await replaceFile(path, 'new');
    assert.deepEqual(syncs, [
      { of: 'file', path: 'old' },
      { of: 'folder', path: 'new' },
    ]);
    assert.deepEqual(readdirSync(folder), ['file']);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('is synced with its folder when a line is appended', async () => {
    await appendToFile(path, 'a\n');
    await appendToFile(path, 'b\n');
    assert.deepEqual(syncs, [
      { of: 'file', path: 'a\n' },
      { of: 'folder', path: 'a\n' },
      { of: 'file', path: 'a\nb\n' },
      { of: 'folder', path: 'a\nb\n' },
    ]);
    assert.equal(statSync(path).mode & 0o777, 0o600);
  });

  it('has each new folder synced in the one above it', async () => {
    await makeFolder(join(folder, 'a', 'b', 'c'));
    assert.equal(syncs.length, 3);
    await makeFolder(join(folder, 'a', 'b', 'c'));
    assert.equal(syncs.length, 3);
  });

  it('has a folder that several callers make at once', async () => {
    const callers = Array.from({ length: 8 }, () => makeFolder(join(folder, 'a', 'b')));
    await Promise.all(callers);
    assert.ok(existsSync(join(folder, 'a', 'b')));
  });

  it('has an error where no folder can be made, without trying for ever', async () => {
    await writeFile(path, '');
    await assert.rejects(makeFolder(join(path, 'a', 'b')), { code: 'EEXIST' });
    await assert.rejects(makeFolder('/proc/none/a'), { code: 'ENOENT' });
  });
});
