import { parseArgs } from 'node:util';
import { type CommandName, isCommandWord } from './commands.ts';
import { OPTIONS, type OptionSpec } from './options.ts';

type CommandLine = {
  readonly words: readonly string[];
  /** Option texts by name; '' where no value is written. */
  readonly options: ReadonlyMap<string, string>;
};

const OPTION_TYPES = {
  ...Object.fromEntries(
    Object.entries<OptionSpec>(OPTIONS).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  ),
  help: { type: 'boolean', short: 'h' },
} as const;

export function splitCommandLine(args: readonly string[], errors: string[]): CommandLine {
  const { tokens } = parseArgs({ args: [...args], options: OPTION_TYPES, strict: false, tokens: true });
  const words: string[] = [];
  const options = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value);
    if (token.kind !== 'option') continue;
    if (options.has(token.name)) errors.push(`${token.rawName} is given twice: write it once`);
    else options.set(token.name, token.value ?? '');
  }
  return { words, options };
}

/** `undefined` where the first word is not a command. */
export function commandOf({ words: [word], options }: CommandLine): CommandName | undefined {
  if (word === undefined) {
    const source = options.get('source');
    return source === 'files' || source === 'snapshot' ? source : 'load';
  }
  return isCommandWord(word) ? word : undefined;
}
