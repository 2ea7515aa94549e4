import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { killQuietly } from '../service.ts';

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
const BUSY_MS = 20_000;

export async function makeDisk(fileSystem: FileSystem): Promise<Disk> {
  // Without it the power could not be cut, and programs on the disk would run on.
  const hasXfs = await run('xfs_io', ['-V']).then(
    () => true,
    () => false,
  );
  if (process.getuid?.() !== 0 || !hasXfs)
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

/**
 * A process that was killed closes its files a moment later. The service may have started another engine just before it was
 * killed, and that one would keep the disk busy for half a minute.
 */
async function unmount(mountPoint: string): Promise<void> {
  for (const deadline = performance.now() + BUSY_MS; ; await sleep(100))
    try {
      return void (await run('umount', [mountPoint]));
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await killProcessesOf(mountPoint);
    }
}

/** Those that name a folder below it in their arguments. */
async function killProcessesOf(mountPoint: string): Promise<void> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    const args = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (args.includes(`${mountPoint}/`)) killQuietly(Number(pid));
  }
}
