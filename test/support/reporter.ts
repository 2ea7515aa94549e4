import { appendFileSync, existsSync, mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import mocha, { type Runner } from 'mocha';

/** The folder of temporary files of Linux that is in memory. */
const MEMORY = '/dev/shm';
/** A run needs less than a half of it. */
const ROOMY_BYTES = 2 * 2 ** 30;

// The processes of a run load this module. They share a folder; in it are the titles of all tests that they declare, one a line.
process.env.TEST_RUN_DIR ??= mkdtempSync(join(isRoomy(MEMORY) ? MEMORY : tmpdir(), 'test-run-'));
const declared = join(process.env.TEST_RUN_DIR, 'titles');
const { addTest } = mocha.Suite.prototype;
mocha.Suite.prototype.addTest = function (test) {
  addTest.call(this, test);
  appendFileSync(declared, `${test.fullTitle()}\n`);
  return this;
};

/**
 * Mocha's own spec report, closed with the one line that scripts look for: real counts, nothing skipped. A test that was
 * declared and has no result is a failure. With `TEST_SECONDS=FILE` it also writes the seconds of each test file, with its
 * hooks, as a table of Markdown.
 */
export default class ClosingLine extends mocha.reporters.Spec {
  constructor(runner: Runner, options: mocha.MochaOptions) {
    super(runner, options);
    const seconds = new Map<string, number>();
    const add = ({ file = '', duration = 0 }: mocha.Runnable) =>
      seconds.set(file, (seconds.get(file) ?? 0) + duration / 1000);
    runner.on('test end', add).on('hook end', add);
    const titles: string[] = [];
    runner.on('test end', (test) => titles.push(test.fullTitle()));
    runner.once('end', () => {
      const { TEST_SECONDS } = process.env;
      if (TEST_SECONDS !== undefined) writeFileSync(TEST_SECONDS, tableOf(seconds));
      // A hook that fails is a failure, and the tests after it have no result, nor have those that --grep leaves out.
      const lost = runner.failures > 0 || options.grep ? [] : withoutResult(titles);
      runner.failures += lost.length;
      for (const title of lost) console.log(`No result: ${title}`);
      const { passes = 0 } = runner.stats ?? {};
      process.once('exit', () => console.log(`${passes} passed, ${runner.failures} failed`));
    });
  }
}

/** On a disk the engines of a run wait milliseconds for each of a hundred thousand files that they sync. */
function isRoomy(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ROOMY_BYTES;
}

function withoutResult(titles: readonly string[]): readonly string[] {
  const left = readFileSync(declared, 'utf8').trimEnd().split('\n');
  for (const title of titles) left.splice(left.indexOf(title), 1);
  return left;
}

/** The longest first. */
function tableOf(seconds: ReadonlyMap<string, number>): string {
  const rows = [...seconds]
    .toSorted(([, one], [, other]) => other - one)
    .map(([file, sum]) => `| ${Math.round(sum)} | \`${relative(process.cwd(), file)}\` |\n`);
  return `| seconds | file |\n|---|---|\n${rows.join('')}`;
}
