import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, it } from 'mocha';
import { freePort } from '../../support/engine/engine.ts';
import { engineOf, isAlive, recordOf, until } from '../../support/engine/engine-directory.ts';
import { startLoader } from '../../support/loader/loader-process.ts';

describe('the loader when the embedded engine is frozen', () => {
  for (const [moment, milliseconds] of [
    ['while it prepares the archive', 0],
    ['during a load', 2_000],
  ] as const)
    it(`stops within seconds on SIGTERM ${moment}`, () => stopFrozenAfter(milliseconds));

  async function stopFrozenAfter(milliseconds: number): Promise<void> {
    const dataDir = await mkdtemp(join(tmpdir(), 'frozen-load-'));
    const loader = startLoader('--source demo --stations XAAA,XAAB,XAAC --from 2005-01-01 --to 2024-01-01', {
      DATA_DIR: dataDir,
      EMBEDDED_CLICKHOUSE_PORT: `${await freePort()}`,
    });
    await until(async () => (await engineOf(dataDir)) !== undefined);
    await sleep(milliseconds);
    const { pid } = await recordOf(dataDir);
    process.kill(pid, 'SIGSTOP');
    const start = performance.now();
    loader.kill('SIGTERM');
    const { code, out } = await loader.ended;
    const seconds = (performance.now() - start) / 1000;
    assert.equal(code, 130, out);
    assert.ok(seconds < 20, `${seconds} s: ${out}`);
    assert.ok(!isAlive(pid));
    // One that the loader started in its place must have ended too.
    assert.equal(await engineOf(dataDir), undefined);
    await rm(dataDir, { recursive: true });
  }
});
