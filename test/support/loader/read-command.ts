import type { Command } from '../../../loader/args/command.ts';
import { readCommandLine } from '../../../loader/args/command-line.ts';

/**
 * The command of one line of arguments.
 *
 * @throws Error with the mistake in it
 */
export function readCommand(line: string): Command {
  const read = readCommandLine(line.split(' '));
  if (read.kind !== 'command') throw new Error(read.text);
  return read.command;
}
