import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type SmallDisk = {
  readonly path: string;
  grow(megabytes: number): void;
  remove(): void;
};

/** A tmpfs of its own; undefined where this user may not mount one. It is unmounted at the latest when the process exits. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
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
