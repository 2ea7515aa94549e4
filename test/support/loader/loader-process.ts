import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

export type LoaderExit = { readonly code: number | null; readonly out: string };

export type LoaderProcess = {
  readonly pid: number;
  /** Closes the reading end of the standard output. */
  readonly closeOutput: () => void;
  readonly kill: (signal: NodeJS.Signals) => void;
  /** Exit code, and everything that the loader printed. */
  readonly ended: Promise<LoaderExit>;
};

/**
 * Starts the loader as a process of its own.
 *
 * @param root the folder of the program
 */
export function startLoader(args: string, env: Readonly<Record<string, string>>, root = ROOT): LoaderProcess {
  const child = spawn(process.execPath, ['--import', 'tsx', 'loader/main.ts', ...args.split(' ')], {
    cwd: root,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (out += chunk));
  return {
    pid: child.pid ?? 0,
    closeOutput: () => child.stdout.destroy(),
    kill: (signal) => child.kill(signal),
    ended: once(child, 'close').then(([code]) => ({ code, out })),
  };
}
