import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export type Finished = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

export type Running = {
  readonly pid: number;
  /** Waits for a line of standard output that matches, and returns all that was written until then. */
  until(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  readonly finished: Promise<Finished>;
};

/** Runs a program of this repository as its script does, with no other settings than these. */
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
  // Any number may wait for a line.
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
      const ended = finished.then(() => Promise.reject(new Error(`${program} ended: ${stdout}${stderr}`)));
      // It may end later, when nobody waits here any more.
      ended.catch(() => {});
      while (!pattern.test(stdout)) await Promise.race([once(child.stdout, 'data'), ended]);
      return stdout;
    },
  };
}

/** A port that nothing listens on, for a program that has to be told one. */
export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return String(typeof address === 'object' && address?.port);
}
