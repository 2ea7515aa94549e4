import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledProgram, isTestRun } from './test-run.ts';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The npm script that runs a program. */
export type Script = 'start' | 'load' | 'keys';

/** A script of package.json. It replaces the shell (`exec`), so that signals to npm reach the program. */
function scriptOf(script: Script): string {
  return JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts[script];
}

/** The variables of a script of package.json, and the arguments of `node`. */
export function partsOf(script: Script) {
  const words = scriptOf(script).split(' ');
  const at = words.indexOf('exec');
  assert.equal(words[at + 1], 'node');
  const variables = Object.fromEntries(words.slice(0, at).map((word) => word.split('=')));
  return { variables, args: words.slice(at + 2) };
}

/** The same arguments with the compiled program. */
function compiledArguments(args: readonly string[]): readonly string[] {
  const [source = '', starter, ...options] = args.toReversed();
  assert.equal(starter, 'clickhouse/program.js');
  return [...options.toReversed(), compiledProgram(source)];
}

export type Finished = {
  /** Null after a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both, in the order of arrival. */
  readonly out: string;
};

export type Running = {
  readonly pid: number;
  isRunning(): boolean;
  /** Everything that it has printed. */
  output(): string;
  /** Waits until standard output matches, and returns all of it. */
  until(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
  /** Closes the reading end of the standard output. */
  closeOutput(): void;
  readonly finished: Promise<Finished>;
};

/**
 * Runs a program of this repository as its npm script does, with these settings and no others. In a run of tests it is
 * compiled.
 *
 * @param root run the program from its source in this folder, by a shell, as npm does
 */
export function run(
  script: Script,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  root?: string,
): Running {
  const { PATH = '', HOME = '' } = process.env;
  const isCompiled = root === undefined && isTestRun();
  const { variables, args: own } = partsOf(script);
  const [command, ...before] =
    root === undefined
      ? [process.execPath, ...(isCompiled ? compiledArguments(own) : own)]
      : ['sh', '-c', `${scriptOf(script)} "$@"`, 'sh'];
  const child = spawn(command, [...before, ...args], {
    cwd: root ?? ROOT,
    env: { PATH: `${dirname(process.execPath)}:${PATH}`, HOME, ...variables, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Each concurrent `until` adds a listener.
  child.stdout.setMaxListeners(0);
  const printed = { stdout: '', stderr: '', out: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
      printed.out += text;
    });
  const finished = once(child, 'close').then(([code]) => ({ code, ...printed }));
  return {
    pid: child.pid ?? 0,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    output: () => printed.out,
    finished,
    kill: (signal) => void child.kill(signal),
    closeOutput: () => void child.stdout.destroy(),
    async until(pattern) {
      const exited = finished.then(() =>
        Promise.reject(new Error(`npm run ${script} ended: ${printed.out}`)),
      );
      // The rejection can come after this function has returned.
      exited.catch(() => {});
      while (!pattern.test(printed.stdout)) await Promise.race([once(child.stdout, 'data'), exited]);
      return printed.stdout;
    },
  };
}

const READY = /listening on (http:\/\/\S+)\n/;

/** The URL of the line that says that the api listens. Throws when it ends before. */
export async function listeningUrl(api: Running, ready = READY): Promise<string> {
  return ready.exec(await api.until(ready))?.[1] ?? '';
}

/** Starts the loader as a process of its own. */
export const startLoader = (line: string, settings: Readonly<Record<string, string>>, root?: string) =>
  run('load', line.split(' '), settings, root);
