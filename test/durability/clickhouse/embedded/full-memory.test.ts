import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Archive } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { type JoinedEngine, joinEngine } from '../../../../clickhouse/embedded/join.ts';
import { storageFailure } from '../../../../clickhouse/errors.ts';
import { ask, freePort, OPEN_ENGINE, recordOf } from '../../../support/engine/engine.ts';
import { newFolder } from '../../../support/test-run.ts';

describe('an embedded engine whose memory is used up', () => {
  const dataDir = newFolder();
  let engine: JoinedEngine;
  let archive: Archive;
  const logged: string[] = [];
  before(async () => {
    const log = (line: string) => logged.push(line);
    const limits = { memory: 500_000_000, silenceLimit: 6_000 };
    engine = await joinEngine({ ...OPEN_ENGINE, ...limits, dataDir, port: await freePort(), log });
    const { url, openAgent } = engine;
    archive = openArchive({ url, openAgent, username: 'default', password: '', database: 'default' });
  });
  after(async () => {
    await archive.close();
    await engine.leave();
  });

  it('fails every check, is replaced on its port, and has what it had', async () => {
    const { instance, pid } = await recordOf(dataDir);
    await ask(engine.url, 'CREATE TABLE default.t (a UInt8) ENGINE = MergeTree ORDER BY a');
    await ask(engine.url, 'INSERT INTO default.t VALUES (1)');
    await archive.ping();
    await ask(engine.url, 'CREATE TABLE default.full (a String) ENGINE = Memory');
    await fill(16);
    const checks: string[] = [];
    while ((await recordOf(dataDir).catch(() => undefined))?.instance === instance) {
      const check = archive.ping().then(() => 'answered', storageFailure);
      checks.push(await check);
      // The engine has freed memory, which is used up again.
      if (checks.at(-1) === 'answered') await fill(1);
      await sleep(100);
    }
    // On a busy machine no check may end in this time: then only the log shows it. The last check may find no engine.
    const refused = checks.slice(checks.lastIndexOf('answered') + 1, -1);
    assert.deepEqual(new Set(['overloaded', ...refused]), new Set(['overloaded']));
    assert.match(
      logged.join('\n'),
      new RegExp(`process ${pid}\\) has refused every statement for lack of memory for \\d+ s; ending it`),
    );
    while (!logged.some((line) => /serves again on port/.test(line))) await sleep(20);
    await archive.ping();
    assert.equal(await ask(engine.url, 'SELECT a FROM default.t'), '1');
  });

  /** Inserts rows until the server refuses this many megabytes, without waiting for other statements to free memory. */
  async function fill(megabytes: number): Promise<void> {
    const body = `INSERT INTO default.full SELECT repeat('a', 1000000) FROM numbers(${megabytes})
      SETTINGS memory_usage_overcommit_max_wait_microseconds = 0`;
    for (let isStored = true; isStored; ) {
      const response = await fetch(engine.url, { method: 'POST', body });
      isStored = response.ok;
      await response.text();
    }
  }
});
