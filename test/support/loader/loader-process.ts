import { type Finished, type Running, run } from '../process.ts';

export type LoaderProcess = Pick<Running, 'pid' | 'kill' | 'closeOutput'> & {
  readonly ended: Promise<Finished>;
};

/**
 * Starts the loader as a process of its own.
 *
 * @param root the folder of the program
 */
export function startLoader(
  args: string,
  env: Readonly<Record<string, string>>,
  root?: string,
): LoaderProcess {
  const { finished, ...process } = run('load', args.split(' '), env, root);
  return { ...process, ended: finished };
}
