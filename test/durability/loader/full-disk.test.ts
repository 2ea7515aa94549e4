import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../support/engine/engine.ts';
import { isLong } from '../../support/long.ts';
import { type Finished, startLoader } from '../../support/process.ts';

type SmallDisk = {
  readonly path: string;
  grow(megabytes: number): void;
  remove(): void;
};

/** A tmpfs of its own; undefined where this user may not mount one. It is unmounted at the latest when the process exits. */
function mountSmallDisk(megabytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'small-disk-'));
  const mount = (...args: readonly string[]) => execFileSync('mount', [...args, path], { stdio: 'ignore' });
  const remove = () => {
    process.off('exit', remove);
    execFileSync('umount', ['--lazy', path]);
    rmSync(path, { recursive: true });
  };
  try {
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs');
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  process.on('exit', remove);
  return { path, remove, grow: (size) => mount('-o', `remount,size=${size}m`) };
}

const LOAD = '--source demo --stations XAAA,XAAB,XAAC,XAAD --from 2020-01-01 --to 2024-01-01';

/** Some of the slices, beside the engine. */
const disk = isLong ? mountSmallDisk(10) : undefined;
if (isLong && disk === undefined)
  console.log('Full disk of the loader: not tested, because this user may not mount a tmpfs.');
else if (disk !== undefined)
  describe('the loader on a full disk', () => {
    after(() => disk.remove());

    const runLoader = async (command = LOAD, path = disk.path): Promise<Finished> => {
      const env = { DATA_DIR: join(path, 'data'), EMBEDDED_CLICKHOUSE_PORT: `${await freePort()}` };
      return startLoader(command, env).finished;
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

    it('names the disk where not even the log of a first engine fits', async () => {
      const full = mountSmallDisk(1) ?? assert.fail();
      try {
        assert.throws(() => {
          for (;;) appendFileSync(join(full.path, 'rest'), Buffer.alloc(4096));
        }, /ENOSPC/);
        mkdirSync(join(full.path, 'data'));
        assertNamesDisk(await runLoader('status', full.path));
      } finally {
        full.remove();
      }
    });

    it('names the disk of the folder of an export, and the one of the archive in an import; both resume', async () => {
      const [small, second] = [mountSmallDisk(1), mountSmallDisk(10)];
      assert.ok(small && second);
      try {
        const exportTo = async () => runLoader(`export ${join(small.path, 'snapshot')}`);
        const full = await exportTo();
        assert.equal(full.code, 5, full.out);
        assert.match(
          full.out,
          /^The disk of \S+small-disk\S+snapshot is full: .*\nFree some space, then run/m,
        );
        small.grow(100);
        const exported = await exportTo();
        assert.equal(exported.code, 0, exported.out);

        const load = () => runLoader(`restore ${join(small.path, 'snapshot')}`, second.path);
        assertNamesDisk(await load());
        second.grow(500);
        const loaded = await load();
        assert.equal(loaded.code, 0, loaded.out);
      } finally {
        small.remove();
        second.remove();
      }
    });
  });
