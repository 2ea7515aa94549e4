import { readFile } from 'node:fs/promises';

/** Seconds of CPU of all threads of a process; 0 after its end. Linux, where a clock tick is a hundredth of a second. */
export async function cpuSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in parentheses, can contain blanks: utime and stime are the 12th and 13th values after it.
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(values[11] ?? 0) + Number(values[12] ?? 0)) / 100;
}

/** Peak resident memory of a process; 0 after its end. */
export const peakMegabytes = (pid: number): Promise<number> => readMegabytes(pid, 'VmHWM');

/** Resident memory of a process now; 0 after its end. */
export const residentMegabytes = (pid: number): Promise<number> => readMegabytes(pid, 'VmRSS');

async function readMegabytes(pid: number, name: 'VmHWM' | 'VmRSS'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024);
}

/** Looks every 50 ms until `stop`, which returns the highest value: the last before the end of a process counts. */
export function watchHighest(read: () => Promise<number>): { stop(): number } {
  let highest = 0;
  const timer = setInterval(async () => {
    highest = Math.max(highest, await read());
  }, 50);
  return {
    stop() {
      clearInterval(timer);
      return highest;
    },
  };
}
