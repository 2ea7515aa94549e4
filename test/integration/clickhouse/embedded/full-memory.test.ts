import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Archive, PROBE } from '../../../../clickhouse/archive.ts';
import { openArchive } from '../../../../clickhouse/client.ts';
import { type JoinedEngine, joinEngine } from '../../../../clickhouse/embedded/join.ts';
import { storageFailure } from '../../../../clickhouse/errors.ts';
import { ask, freePort, OPEN_ENGINE, recordOf } from '../../../support/engine/engine.ts';
import { newFolder } from '../../../support/test-run.ts';

const ZONES = Intl.supportedValuesOf('timeZone');

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
    assert.ok(await fill(), 'the memory is used up');
    const checks: string[] = [];
    while ((await recordOf(dataDir).catch(() => undefined))?.instance === instance) {
      const check = archive.ping().then(() => 'answered', storageFailure);
      checks.push(await check);
      await sleep(100);
    }
    // A check may still be answered while the engine frees memory, and the last one may find no engine.
    const refused = checks.slice(checks.lastIndexOf('answered') + 1, -1);
    assert.ok(refused.length > 2, checks.join());
    assert.deepEqual(new Set(refused), new Set(['overloaded']));
    assert.match(
      logged.join('\n'),
      new RegExp(`process ${pid}\\) has refused every statement for lack of memory for \\d+ s; ending it`),
    );
    while (!logged.some((line) => /serves again on port/.test(line))) await sleep(20);
    await archive.ping();
    assert.equal(await ask(engine.url, 'SELECT a FROM default.t'), '1');
  });

  /** Until a small page is refused for lack of memory. Each zone takes 4.6 MB that the engine never frees. */
  async function fill(): Promise<boolean> {
    for (const zone of ZONES)
      for (const body of [`SELECT toString(toDateTime(0, '${zone}'))`, PROBE]) {
        const response = await fetch(engine.url, { method: 'POST', body });
        await response.text();
        if (response.headers.get('x-clickhouse-exception-code') === '241') return true;
      }
    return false;
  }
});
