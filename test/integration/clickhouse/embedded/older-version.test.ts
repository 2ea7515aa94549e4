import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { engineFile, writeJson } from '../../../../clickhouse/embedded/engine-file.ts';
import { startTimeOf } from '../../../../clickhouse/embedded/engine-process.ts';
import { joinEngine } from '../../../../clickhouse/embedded/join.ts';
import { freePort } from '../../../support/engine/engine.ts';

describe('the engine of an older version', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'older-'));
  });
  after(() => rm(dataDir, { recursive: true }));

  it('is refused at once while it runs, with what to do', async () => {
    const { pid } = process;
    const port = await freePort();
    const record = { pid, startTime: startTimeOf(pid), port, instance: 'a', database: 'history' };
    await writeJson(engineFile(dataDir), record);
    await assert.rejects(
      joinEngine({ dataDir, port, database: 'history', adminPassword: undefined }),
      /was started by an older version of this program: stop every program that uses it, then start again$/,
    );
  });
});
