import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import mocha, { type Runner } from 'mocha';

/**
 * Mocha's own spec report, closed with the one line that scripts look for: real counts, nothing skipped. With
 * `TEST_SECONDS=FILE` it also writes the seconds of each test file, with its hooks, as a table of Markdown.
 */
export default class ClosingLine extends mocha.reporters.Spec {
  constructor(runner: Runner, options: mocha.MochaOptions) {
    super(runner, options);
    const seconds = new Map<string, number>();
    const add = ({ file = '', duration = 0 }: mocha.Runnable) =>
      seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000);
    runner.on('test end', add).on('hook end', add);
    runner.once('end', () => {
      const { TEST_SECONDS } = process.env;
      if (TEST_SECONDS !== undefined) writeFileSync(TEST_SECONDS, tableOf(seconds));
      const { passes = 0, failures = 0 } = runner.stats ?? {};
      process.once('exit', () => console.log(`${passes} passed, ${failures} failed`));
    });
  }
}

/** The longest first. */
function tableOf(seconds: ReadonlyMap<string, number>): string {
  const rows = [...seconds]
    .toSorted(([, one], [, other]) => other - one)
    .map(([file, sum]) => `| ${Math.round(sum)} | \`${relative(process.cwd(), file)}\` |\n`);
  return `| seconds | file |\n|---|---|\n${rows.join('')}`;
}
