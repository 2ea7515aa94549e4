import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DECODED_FIELDS } from '../../../../clickhouse/model/fields.ts';
import { FIELD_GUIDE, withFieldTable } from '../../../support/documents/field-table.ts';

describe('list of decoded fields', () => {
  it('has each name once', () => {
    const names = DECODED_FIELDS.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
  });

  it('is the table of docs/guide/decoded-fields.md (otherwise run `npm run generate`)', () => {
    const guide = readFileSync(FIELD_GUIDE, 'utf8');
    for (const { name } of DECODED_FIELDS) assert.ok(guide.includes(`\n| \`${name}\` |`), name);
    assert.equal(withFieldTable(guide), guide);
  });
});
