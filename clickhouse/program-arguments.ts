import { type Command, CommanderError, InvalidArgumentError } from '@commander-js/extra-typings';

type Outcome =
  /** The action of one command has run. */
  | { readonly kind: 'accepted' }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string };

export function parseArguments(program: Command, args: readonly string[]): Outcome {
  let help = '';
  for (const each of [program, ...program.commands])
    each.exitOverride().configureOutput({
      writeOut: (text) => {
        help += text;
      },
      writeErr: () => {},
    });
  try {
    program.parse(args, { from: 'user' });
    return { kind: 'accepted' };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help or version was asked for, and is printed.
    if (error.exitCode === 0) return { kind: 'help', text: help.trimEnd() };
    if (error.code === 'commander.help') return { kind: 'mistake', text: 'a command is missing; see --help' };
    const text = error.message.replace(/^error: /, '').replaceAll('\n', ' ');
    return { kind: 'mistake', text: /^unknown \w+ '.*'$/.test(text) ? `${text}; see --help` : text };
  }
}

/** Rejects an option given twice: one value would be lost. */
export function once<Value>(parse: (text: string) => Value): (text: string, before?: Value) => Value {
  return (text, before) => {
    if (before !== undefined) throw new InvalidArgumentError('The option is given twice: write it once.');
    return parse(text);
  };
}

/** An option that commander itself must not require: it would complain about this one if another name is mistyped. */
export function required<Value>(option: string, value: Value | undefined): Value {
  if (value === undefined)
    throw new InvalidArgumentError(`${option.split(' ', 1)} is required: write ${option}`);
  return value;
}

/** The reader of the output may close it early, as `head` does: the program goes on without output. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
    });
}
