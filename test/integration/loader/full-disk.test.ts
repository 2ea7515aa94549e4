import assert from 'node:assert/strict';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'mocha';
import { freePort } from '../../support/engine/engine.ts';
import { mountSmallDisk } from '../../support/engine/small-disk.ts';
import { startLoader } from '../../support/loader/loader-process.ts';
import type { Finished } from '../../support/process.ts';

const LOAD = '--source demo --stations XAAA,XAAB,XAAC,XAAD --from 2020-01-01 --to 2024-01-01';

/** Some of the slices, beside the engine. */
const disk = mountSmallDisk(10);
if (disk === undefined)
  console.log('Full disk of the loader: not tested, because this user may not mount a tmpfs.');
else
  describe('the loader on a full disk', function () {
    this.timeout(180_000);
    after(() => disk.remove());

    const runLoader = async (): Promise<Finished> => {
      const env = { DATA_DIR: join(disk.path, 'data'), EMBEDDED_CLICKHOUSE_PORT: `${await freePort()}` };
      return startLoader(LOAD, env).ended;
    };
    function assertNamesDisk({ code, out }: Finished): void {
      assert.equal(code, 5, out);
      assert.match(out, /^The disk of the archive is full: .*\nFree some space, then run the same command/m);
      assert.doesNotMatch(out, /^ +at /m);
    }

    it('ends with 5 and says what to do, and the same command resumes once there is space', async () => {
      assertNamesDisk(await runLoader());

      // Nothing is left at all: the engine cannot start.
      const rest = join(disk.path, 'rest');
      assert.throws(() => {
        for (;;) appendFileSync(rest, Buffer.alloc(4096));
      }, /ENOSPC/);
      assertNamesDisk(await runLoader());

      rmSync(rest);
      disk.grow(500);
      const { code, out } = await runLoader();
      assert.equal(code, 0, out);
      const slices = Number(/of (\d+) slices loaded/.exec(out)?.[1]);
      assert.ok(slices > 0 && slices < 4 * 4, out);
    });
  });
