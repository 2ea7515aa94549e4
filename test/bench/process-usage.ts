import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** Seconds of CPU of all threads of a process; 0 after its end. Linux, where a clock tick is a hundredth of a second. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, can contain blanks: utime and stime are the 12th and 13th values after it.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return (user + system) / 100;
}

/** Peak resident memory of a process; 0 after its end. */
export async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

export type Resident = {
  /** Of the largest process. */
  readonly megabytes: number;
  readonly processes: number;
};

/** Resident memory of a process and its descendants. The compiler of tsx is left out: it is a tool of development. */
export function residentMemory(root: number): Resident {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const family = new Set([String(root)]);
  for (const [pid = '', parent = ''] of rows) if (family.has(parent)) family.add(pid);
  const sizes = rows
    .filter(([pid = '', , , command]) => family.has(pid) && command !== 'esbuild')
    .map(([, , kilobytes]) => Number(kilobytes) / 1024);
  return { megabytes: Math.round(Math.max(0, ...sizes)), processes: sizes.length };
}
