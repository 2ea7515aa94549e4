import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { SETTINGS } from '../../api/config.ts';
import { PROBLEMS } from '../../api/http/problem.ts';
import { PARAMETERS } from '../../api/observations/query-params.ts';
import { noFields } from '../../loader/decode/fields.ts';

const read = (name: string) => readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8');
const readme = read('README.md');
const missing = (names: readonly string[]) => names.filter((name) => !readme.includes(`\`${name}\``));

describe('the README', () => {
  it('explains every decoded field', () => assert.deepEqual(missing(Object.keys(noFields())), []));

  it('explains every setting', () => {
    const loader = [...read('loader/config.ts').matchAll(/\benv\.([A-Z_]+)|'([A-Z]+_URL)'/g)].map(
      ([, a, b]) => a ?? b ?? '',
    );
    assert.ok(loader.length > 0);
    assert.deepEqual(missing([...Object.keys(SETTINGS), ...loader]), []);
  });

  it('explains every parameter', () => assert.deepEqual(missing(Object.keys(PARAMETERS)), []));

  it('names every code of a refusal', () => assert.deepEqual(missing(Object.keys(PROBLEMS)), []));

  it('holds scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )[a-z]+)\b/g)].map(
      ([, name = '']) => name,
    );
    assert.deepEqual(
      named.filter((name) => !(name in scripts)),
      [],
    );
    for (const [name, command] of Object.entries(scripts))
      for (const [file] of command.matchAll(/\S+\.ts\b/g))
        if (!file.includes('*')) assert.ok(read(file), name);
  });
});
