import assert from 'node:assert/strict';
import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimForDemo, demoRequest } from '../../../api/demo.ts';
import { fileUsageStore } from '../../../api/usage/usage-stores.ts';
import { newFolder } from '../../support/test-run.ts';

describe('demo', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await newFolder();
  });

  it('is loaded into a new folder, also one that does not exist or holds only keys', async () => {
    assert.ok(await claimForDemo(join(dir, 'deep', 'data')));
    await writeFile(join(dir, 'keys.jsonl'), '');
    await rm(join(dir, 'deep'), { recursive: true });
    assert.ok(await claimForDemo(dir));
  });

  it('is loaded again when the start that was loading it was interrupted', async () => {
    assert.ok(await claimForDemo(dir));
    await writeFile(join(dir, 'engine.sock'), '');
    assert.ok(await claimForDemo(dir));
  });

  it('is loaded into a folder where a killed start has left the draft of a file', async () => {
    await writeFile(join(dir, 'demo.4711'), 'loa');
    await writeFile(join(dir, 'keys.jsonl.4712'), '');
    assert.ok(await claimForDemo(dir));
  });

  it('makes its folder for its owner alone, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await claimForDemo(join(dir, 'deep', 'data'));
      await fileUsageStore(join(dir, 'deep', 'data', 'usage')).replace('2026-01-01', new Map(), new Set());
    } finally {
      process.umask(before);
    }
    for (const folder of ['deep', 'deep/data', 'deep/data/usage'])
      assert.equal((await stat(join(dir, folder))).mode & 0o777, 0o700, folder);
  });

  it('is not loaded into a folder that was used or loaded before', async () => {
    await writeFile(join(dir, 'engine.log'), '');
    assert.ok(!(await claimForDemo(dir)));
    await writeFile(join(dir, 'demo'), 'loaded\n');
    assert.ok(!(await claimForDemo(dir)));
  });

  it('has a request as one line for the shell', () => {
    assert.match(
      demoRequest('http://127.0.0.1:8080', 'KEY'),
      /^curl -s -H 'Authorization: Bearer KEY' 'http:\/\/127\.0\.0\.1:8080\/v1\/history\/observations\?[^' ]+'$/,
    );
  });
});
