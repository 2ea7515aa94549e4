import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { claimForDemo, demoRequest } from '../../../api/demo.ts';

describe('demo', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'demo-'));
  });
  afterEach(() => rm(dir, { recursive: true }));

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
