import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { readRecord, removeRecord, writeRecord } from '../../../clickhouse/embedded/record.ts';

describe("the engine's record", () => {
  let dataDir: string;
  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'record-'));
  });
  afterEach(() => rm(dataDir, { recursive: true }));

  const record = { pid: 4711, port: 8123, instance: 'a' };

  it('reads as it was written, and leaves nothing beside it', async () => {
    await writeRecord(dataDir, record);
    assert.deepEqual(await readRecord(dataDir), record);
    assert.deepEqual(await readdir(dataDir), ['engine.json']);
  });

  it('is none where the file is absent, damaged or something else', async () => {
    assert.equal(await readRecord(dataDir), undefined);
    for (const text of ['', '{"pid": 1', 'null', '[]', '{"pid": "1", "port": 8123, "instance": "a"}']) {
      await writeFile(join(dataDir, 'engine.json'), text);
      assert.equal(await readRecord(dataDir), undefined, text);
    }
  });

  it('is removed by its own engine only', async () => {
    await writeRecord(dataDir, record);
    await removeRecord(dataDir, 'b');
    assert.deepEqual(await readRecord(dataDir), record);
    await removeRecord(dataDir, 'a');
    assert.equal(await readRecord(dataDir), undefined);
  });
});
