import mocha, { type Runner } from 'mocha';

/** Mocha's own spec report, closed with the one line that scripts look for: real counts, nothing skipped. */
export default class ClosingLine extends mocha.reporters.Spec {
  constructor(runner: Runner, options: mocha.MochaOptions) {
    super(runner, options);
    runner.once('end', () => {
      const { passes = 0, failures = 0 } = runner.stats ?? {};
      process.once('exit', () => console.log(`${passes} passed, ${failures} failed`));
    });
  }
}
