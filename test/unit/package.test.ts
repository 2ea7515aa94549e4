import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { serviceOf } from '../support/documents/compose.ts';

type Entry = {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly resolved?: string;
  readonly hasInstallScript?: boolean;
};

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const locked = read('package-lock.json').packages as Readonly<Record<string, Entry>>;

describe('the package', () => {
  // npm ci refuses a lock file that leaves out the builds for other platforms, and npm install leaves them out where
  // a registry does not carry them.
  it('locks the packages of every platform, so that npm ci works on each', () => {
    const wanted = Object.values(locked).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    assert.ok(wanted.length > 0);
    assert.deepEqual(
      wanted.filter((name) => !(`node_modules/${name}` in locked)),
      [],
    );
  });

  it('names no registry: whoever installs uses their own', () => {
    assert.deepEqual(
      Object.values(locked).filter(({ resolved }) => resolved !== undefined),
      [],
    );
  });

  // npm 11 warns of every other one at `npm ci`, and npm 12 runs none.
  it('says of every package that wants to run a script at its installation whether it may', () => {
    const { allowScripts = {} } = read('package.json');
    const wanting = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript);
    assert.ok(wanting.length > 0);
    const names = wanting.map(([path]) => path.replace(/^.*node_modules\//, ''));
    assert.deepEqual(new Set(Object.keys(allowScripts)), new Set(names));
  });

  it('starts api and loader in Docker as npm does, but for the compiler', () => {
    const { start, load } = read('package.json').scripts;
    const inNpm = (script: string) => script.replace('exec ', '').replace('clickhouse/program.js ', '');
    assert.equal(serviceOf('loader').entrypoint?.join(' '), inNpm(load));
    const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
    const [, started = '[]'] = /^CMD (.*)$/m.exec(dockerfile) ?? [];
    assert.equal(JSON.parse(started).join(' '), `env ${inNpm(start)}`);
  });

  it('pins every dependency to one version', () => {
    const { dependencies, optionalDependencies, devDependencies } = read('package.json');
    const ranges = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies });
    assert.deepEqual(
      ranges.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version))),
      [],
    );
  });
});
