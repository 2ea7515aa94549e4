import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { engineFile, readEngineFile, writeJson } from '../../../../clickhouse/embedded/engine-file.ts';

describe('engine.json', () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'record-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const record = {
    pid: 1,
    startTime: '2',
    port: 8123,
    instance: 'a',
    proof: { path: '/b', answer: 'c' },
    database: 'history',
  };

  it('reads as it was written, leaves no other file, and is for its owner alone', async () => {
    await writeJson(engineFile(dataDir), record);
    assert.deepEqual(await readEngineFile(dataDir), record);
    assert.deepEqual(await readdir(dataDir), ['engine.json']);
    assert.equal((await stat(engineFile(dataDir))).mode & 0o777, 0o600);
  });

  it('is no record where it is absent, damaged or something else', async () => {
    assert.equal(await readEngineFile(dataDir), undefined);
    for (const text of ['', '{"pid": 1', 'null', '[]', '"a"', '{"pid": 1, "port": 8123}']) {
      await writeFile(engineFile(dataDir), text);
      assert.equal(await readEngineFile(dataDir), undefined, text);
    }
  });
});
