import { EXIT_CODES, type ExitReason } from './exit-codes.ts';

/**
 * Sets the exit code to the reason for which the work ends. Where nothing is left that could end it, Node would exit with
 * code 13 and without a message: a promise that no event settles keeps no process alive.
 */
export async function exitWithReason(work: Promise<ExitReason>, log: (line: string) => void): Promise<void> {
  const explainEnd = () => {
    log(
      'The loader stopped before its work had ended, which is an error of the loader. Run the same command again.',
    );
    process.exitCode = EXIT_CODES.failed.code;
  };
  process.once('beforeExit', explainEnd);
  const reason = await work;
  process.off('beforeExit', explainEnd);
  if (reason === 'interrupted') log('Interrupted. Run the same command to resume.');
  process.exitCode = EXIT_CODES[reason].code;
}
