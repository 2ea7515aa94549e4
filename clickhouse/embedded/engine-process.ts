import { readFileSync } from 'node:fs';

type EngineProcess = { readonly pid: number; readonly startTime?: string | undefined };

/** Field 22 of `/proc/PID/stat`: when the process started, in clock ticks since boot. Undefined outside Linux. */
export function startTimeOf(pid: number): string | undefined {
  return readStat(pid)?.startTime;
}

/** Whether this process, and not a later one with the same pid, still holds its files. */
export function isRunning({ pid, startTime }: EngineProcess): boolean {
  if (startTime === undefined) return isSignalled(pid);
  const stat = readStat(pid);
  if (stat?.startTime !== startTime) return false;
  // A zombie has released its files once its last other thread ended.
  return stat.state !== 'Z' || stat.threads > 1;
}

function isSignalled(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function readStat(pid: number) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything; state is the field after it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return { state: fields[0], threads: Number(fields[17]), startTime: fields[19] };
  } catch {
    return undefined;
  }
}
