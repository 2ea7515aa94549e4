import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { FAULT_GROUPS } from '../faults/faults.ts';
import { readDocument } from '../faults/table.ts';

const DOCUMENT = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');
describe('docs/faults.md', () => {
  it('has one row for each fault of the code, in this order: else run `npm run test:faults -- --write`', () => {
    const expected = FAULT_GROUPS.flatMap(({ name: group, faults }) =>
      faults.map(({ name, does }) => ({ group, name, does })),
    );
    assert.ok(expected.length > 0);
    assert.deepEqual(
      readDocument(DOCUMENT).map(({ group, name, does }) => ({ group, name, does })),
      expected,
    );
  });

  it('says that each fault held', () => {
    for (const { name, breaches } of readDocument(DOCUMENT)) assert.deepEqual(breaches, [], name);
  });
});
