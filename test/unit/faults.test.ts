import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { FAULT_GROUPS } from '../faults/faults.ts';
import { document, readDocument } from '../faults/table.ts';

const DOCUMENT = readFileSync(new URL('../../docs/faults.md', import.meta.url), 'utf8');
const ROWS = readDocument(DOCUMENT);

describe('docs/faults.md', () => {
  it('has one row for each fault of the code, in this order: else run `npm run test:faults -- --write`', () => {
    const expected = FAULT_GROUPS.flatMap(({ name: group, faults }) =>
      faults.map(({ name }) => ({ group, name })),
    );
    assert.ok(expected.length > 0);
    assert.deepEqual(
      ROWS.map(({ group, name }) => ({ group, name })),
      expected,
    );
  });

  it('is what its rows give, and each fault held', () => {
    assert.equal(document(ROWS), DOCUMENT);
    for (const { name, breaches } of ROWS) assert.deepEqual(breaches, [], name);
  });

  it('names a fault that did not hold in its summary and in its row', () => {
    const [first, ...others] = ROWS;
    assert.ok(first);
    const text = document([{ ...first, breaches: ['3 lost'] }, ...others]);
    assert.match(text, new RegExp(`^${others.length} of ${ROWS.length} faults held`, 'm'));
    assert.match(text, new RegExp(`^- ${first.group}, ${first.name}: 3 lost$`, 'm'));
    assert.deepEqual(readDocument(text)[0]?.breaches, ['3 lost']);
  });
});
