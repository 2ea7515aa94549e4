import assert from 'node:assert/strict';
import { sendAs } from '../../faults/power/claims.ts';
import { engineOf, freePort, isAlive, recordOf, until } from '../../support/engine/engine.ts';
import { itLong } from '../../support/long.ts';
import { startLoader } from '../../support/process.ts';
import { newFolder } from '../../support/test-run.ts';

describe('the loader when the embedded engine is frozen', () => {
  itLong(
    'stops on SIGTERM before the engine would be replaced, while it prepares the archive and during a load',
    () => {
      const isLoading = async (dataDir: string) => {
        const stored = sendAs(dataDir, 'loader', 'SELECT count() FROM observations');
        // There is no table at first.
        return Number(await stored.catch(() => 0)) > 0;
      };
      return Promise.all([stopFrozenWhen(async () => true), stopFrozenWhen(isLoading)]);
    },
  );

  async function stopFrozenWhen(isMoment: (dataDir: string) => Promise<boolean>): Promise<void> {
    const dataDir = newFolder();
    const loader = startLoader('--source demo --stations XAAA,XAAB,XAAC --from 2005-01-01 --to 2024-01-01', {
      DATA_DIR: dataDir,
      EMBEDDED_CLICKHOUSE_PORT: `${await freePort()}`,
    });
    await until(async () => (await engineOf(dataDir)) !== undefined);
    await until(() => isMoment(dataDir));
    const { pid } = await recordOf(dataDir);
    process.kill(pid, 'SIGSTOP');
    const start = performance.now();
    loader.kill('SIGTERM');
    const { code, out } = await loader.finished;
    const seconds = (performance.now() - start) / 1000;
    assert.equal(code, 130, out);
    // An engine that is not told to end is silent for a minute before it is replaced.
    assert.ok(seconds < 50, `${seconds} s: ${out}`);
    // The loader sees that its connection is closed, which the kernel does before the process is gone.
    await until(() => !isAlive(pid));
    // One that the loader started in its place must have ended too.
    assert.equal(await engineOf(dataDir), undefined);
  }
});
