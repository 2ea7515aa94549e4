import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

export type FileSystem = 'ext4' | 'xfs';

/** A disk of its own in a file. Sparse: it takes what is written to it. */
export type Disk = {
  /** An empty folder on it at first. */
  readonly dataDir: string;
  /** What the operating system holds in memory never reaches the disk; every further call of a program fails. */
  cutPower(): Promise<void>;
  /** Call it when no process uses the disk any more. */
  powerOn(): Promise<void>;
  remove(): Promise<void>;
};

const BYTES = 2 * 1024 ** 3;
/** An engine that was starting when its starter was killed ends after half a minute. */
const BUSY_MS = 45_000;

export async function makeDisk(fileSystem: FileSystem): Promise<Disk> {
  if (process.getuid?.() !== 0)
    throw new Error('NOT RUN: only root can mount a disk; e2fsprogs and xfsprogs have to be installed');
  const folder = await mkdtemp(join(tmpdir(), 'power-'));
  const image = join(folder, 'image');
  const mountPoint = join(folder, 'disk');
  const file = await open(image, 'w');
  await file.truncate(BYTES);
  await file.close();
  await run(`mkfs.${fileSystem}`, ['-q', fileSystem === 'ext4' ? '-F' : '-f', image]);
  await mkdir(mountPoint);
  const mount = () => run('mount', ['-o', 'loop', image, mountPoint]);
  await mount();
  const dataDir = join(mountPoint, 'data');
  await mkdir(dataDir);
  await run('sync', ['-f', mountPoint]);
  return {
    dataDir,
    // As the kernel does for a disk that fails: without the last flush.
    cutPower: async () => void (await run('xfs_io', ['-x', '-c', 'shutdown', mountPoint])),
    async powerOn() {
      await unmount(mountPoint);
      await mount();
    },
    async remove() {
      await unmount(mountPoint);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A process that was killed closes its files a moment later. */
async function unmount(mountPoint: string): Promise<void> {
  for (const deadline = performance.now() + BUSY_MS; ; await sleep(100))
    try {
      return void (await run('umount', [mountPoint]));
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
}
