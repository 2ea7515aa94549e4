import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** A pid alone may belong to a later process. */
export type EngineProcess = { readonly pid: number; readonly startTime: string };

const END_MILLISECONDS = 3_000;
/** The rest is for api, loader and operating system: api and engine fit into a container of 1 GB together. */
const MEMORY_SHARE = 0.5;
/** Of the memory of the engine, for what it keeps of files: by default ClickHouse would keep up to 5 GB of marks alone. */
const CACHE_SHARE = 0.1;

export function isRunning({ pid, startTime }: EngineProcess): boolean {
  return startTimeOf(pid) === startTime;
}

/** Tells a process from a later one with the same pid (on Linux: `man 5 proc_pid_stat`); undefined once it ended. */
export function startTimeOf(pid: number): string | undefined {
  try {
    if (process.platform !== 'linux') return process.kill(pid, 0) ? '' : undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has released its files once its last other thread ended.
    return state === 'Z' && fields[16] === '1' ? undefined : fields[18];
  } catch {
    return undefined;
  }
}

/** Ends the process of an engine, and no later one with its pid. Says whether it ended. */
export async function endProcess(engine: EngineProcess): Promise<boolean> {
  try {
    if (isRunning(engine)) process.kill(engine.pid, 'SIGKILL');
  } catch {
    // It ended just now.
  }
  for (const deadline = performance.now() + END_MILLISECONDS; performance.now() < deadline; await sleep(10))
    if (!isRunning(engine)) return true;
  return false;
}

/** What the machine has, or the container or unit of this process where that may take less, in bytes. */
function availableMemory(): number {
  // 0, or more than there is, where nothing limits it.
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * What `server/embedded.xml` takes from the environment: the memory of all statements and caches of the engine. A statement
 * that needs more writes what it sorts to the disk, or fails; the engine stays alive.
 */
export function memoryEnvironment(available = availableMemory()): Readonly<Record<string, string>> {
  const bytes = available * MEMORY_SHARE;
  return {
    HISTORY_ENGINE_MEMORY: `${Math.floor(bytes)}`,
    HISTORY_ENGINE_CACHE: `${Math.floor(bytes * CACHE_SHARE)}`,
  };
}
