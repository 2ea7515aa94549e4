import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const LABEL = /\bD[1-9]\d?\b/g;
/** A rule in `docs/contract.md` begins so: `- **D12 Order.**`, or with several numbers. */
const RULE = /^- \*\*((?:D[1-9]\d?, )*D[1-9]\d?) /gm;

/** The numbers that comments and titles name: those in parentheses and lists, not in the texts of remarks. */
function readLabels(folder: string, text: RegExp): ReadonlySet<string> {
  const files = readdirSync(join(ROOT, folder), { encoding: 'utf8', recursive: true }).filter((name) =>
    /\.(ts|js|sql)$/.test(name),
  );
  const lines = files
    .flatMap((name) => readFileSync(join(ROOT, folder, name), 'utf8').split('\n'))
    .filter((line) => text.test(line));
  return new Set(lines.flatMap((line) => line.match(LABEL) ?? []));
}

describe('the contract', () => {
  const rules = [...readFileSync(join(ROOT, 'docs/contract.md'), 'utf8').matchAll(RULE)].flatMap(
    ([, numbers = '']) => numbers.split(', '),
  );

  it('states each rule once', () => {
    assert.ok(rules.length > 50);
    assert.deepEqual(rules, [...new Set(rules)]);
  });

  it('has every rule that a comment names', () => {
    const named = ['api', 'clickhouse', 'loader'].flatMap((folder) => [
      ...readLabels(folder, /^\s*(\/?\*|\/\/|--)|\/\/ /),
    ]);
    assert.ok(named.length > 0);
    assert.deepEqual(
      named.filter((label) => !rules.includes(label)),
      [],
    );
  });

  it('has a test for every rule, which names it in its title', () => {
    const titles = readLabels('test', /\b(describe\w*|it|title:)\b|^\s*`/);
    assert.deepEqual(
      rules.filter((rule) => !titles.has(rule)),
      [],
    );
  });
});
