import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Config } from '../config.ts';
import type { ExitReason } from '../exit-codes.ts';
import type { SignalInterruption } from '../interruption.ts';
import type { ConsoleOutput } from '../progress/display.ts';

/** What the process gives to a command. */
export type ProcessContext = {
  readonly config: Config;
  readonly stop: SignalInterruption;
  readonly output: ConsoleOutput;
};

/** Results go to standard output, messages and progress to standard error. */
export type Run = (context: ProcessContext) => Promise<ExitReason>;

/** The command that the user has written. */
export type AcceptedCommand = {
  /** Its name and what the user wrote, as one typed value. */
  readonly command: { readonly kind: string };
  readonly run: Run;
  /** Whether to print no progress. */
  readonly isQuiet: boolean;
};

/** The command line, to which the file of each command adds its declaration. */
export type LoaderProgram = {
  /** @param usage what follows `npm run load -- ` */
  readonly add: (usage: string, description: string) => Command;
  /** Called by the action of a command. */
  readonly accept: <Command extends AcceptedCommand['command']>(command: Command, run: Run) => void;
};

export function loaderProgram(): {
  readonly root: Command;
  readonly program: LoaderProgram;
  readonly accepted: () => AcceptedCommand | undefined;
} {
  let accepted: AcceptedCommand | undefined;
  let isQuiet = false;
  const root = new Command()
    .hook('preAction', (_, { args, registeredArguments }) => {
      const word = registeredArguments.at(-1)?.variadic ? undefined : args[registeredArguments.length];
      if (word !== undefined)
        throw new InvalidArgumentError(
          `${word} is not expected here; write a list with commas and no spaces, like KJFK,EGLL`,
        );
    })
    .hook('preAction', (_, command) => {
      isQuiet = (command.opts() as { readonly quiet?: true }).quiet ?? false;
    });
  const add = (usage: string, description: string) => {
    const [name] = usage.startsWith('-') ? ['load'] : usage.split(' ');
    const command = root
      .command(name as string)
      .description(description)
      .usage(usage);
    command.allowExcessArguments().addOption(new Option('-q, --quiet', 'print no progress'));
    return command;
  };
  const accept = (command: AcceptedCommand['command'], run: Run) => {
    accepted = { command, run, isQuiet };
  };
  return { root, program: { add, accept }, accepted: () => accepted };
}
