import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DERIVED_FIELDS } from '../../../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS } from '../../../../clickhouse/model/fields.ts';
import { FIELD_GUIDES, withFieldTable } from '../../../generate/field-table.ts';

describe('lists of fields', () => {
  const names = [...DECODED_FIELDS, ...DERIVED_FIELDS].map(({ name }) => name);

  it('have each name once', () => assert.deepEqual([...new Set(names)], names));

  it('are the tables of the guides (otherwise run `npm run generate`)', () => {
    const guides = FIELD_GUIDES.map((guide) => readFileSync(guide, 'utf8'));
    for (const name of names)
      assert.ok(
        guides.some((guide) => guide.includes(`\n| \`${name}\` |`)),
        name,
      );
    assert.deepEqual(guides.map(withFieldTable), guides);
  });
});
