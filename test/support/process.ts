import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Running = {
  readonly pid: number;
  /** Waits until standard output matches, and returns all of it. */
  until(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
};

/** Runs a program of this repository as its npm script does, with these settings and no others. */
export function run(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Running {
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], {
    cwd: ROOT,
    env: { PATH, HOME, ...settings },
  });
  // Each concurrent `until` adds a listener.
  child.stdout.setMaxListeners(0);
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const finished = once(child, 'close').then(([code]) => ({ code, stdout, stderr }));
  return {
    pid: child.pid ?? 0,
    finished,
    kill: (signal) => child.kill(signal),
    async until(pattern) {
      const exited = finished.then(() => Promise.reject(new Error(`${program} exited: ${stdout}${stderr}`)));
      // The rejection can come after this function has returned.
      exited.catch(() => {});
      while (!pattern.test(stdout)) await Promise.race([once(child.stdout, 'data'), exited]);
      return stdout;
    },
  };
}
