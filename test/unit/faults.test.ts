import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { FAULT_GROUPS } from '../faults/faults.ts';

const DOCUMENT = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');
const ROW = /^\| (.+?) \| (.+?) \| (.*) \| (.*) \| (.+?) \|$/;

/** The rows of all tables, with the title of their section. */
function rowsOf(text: string) {
  let group = '';
  return text.split('\n').flatMap((line) => {
    group = /^## (.+)$/.exec(line)?.[1] ?? group;
    const [, name = '', action = '', , , verdict = ''] = ROW.exec(line) ?? [];
    return name === '' || name === 'fault' || name.startsWith('---')
      ? []
      : [{ group, name, action, verdict }];
  });
}

describe('docs/faults.md', () => {
  it('has one row for each fault of the code, in this order: else run `npm run test:faults -- --write`', () => {
    const expected = FAULT_GROUPS.flatMap(({ name: group, faults }) =>
      faults.map(({ name, action }) => ({ group, name, action })),
    );
    assert.ok(expected.length > 0);
    assert.deepEqual(
      rowsOf(DOCUMENT).map(({ group, name, action }) => ({ group, name, action })),
      expected,
    );
  });

  it('says that each fault held', () => {
    for (const { name, verdict } of rowsOf(DOCUMENT)) assert.equal(verdict, 'held', name);
  });
});
