import { readFileSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What `DATA_DIR/engine.json` says of the engine that serves the directory. */
export type EngineRecord = {
  readonly pid: number;
  readonly startTime: string;
  readonly port: number;
  readonly instance: string;
  /** The users have rights on this database alone. */
  readonly database: string;
};

export function engineFile(dataDir: string): string {
  return join(dataDir, 'engine.json');
}

/** Undefined where there is no record, or none that can be read. */
export async function readEngineFile(dataDir: string): Promise<EngineRecord | undefined> {
  const record = await readJson(engineFile(dataDir));
  return typeof record?.instance === 'string' ? record : undefined;
}

export function isRunning({ pid, startTime }: EngineRecord): boolean {
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

/** Undefined where the file is missing or damaged. */
export async function readJson(path: string) {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Writes a new file and renames it, so that a reader never sees half of it. Its owner alone may read it. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(value, undefined, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
}
