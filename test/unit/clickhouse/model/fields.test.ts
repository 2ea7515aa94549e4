import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { DECODED_FIELDS, type Field } from '../../../../clickhouse/model/fields.ts';

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

function jsonType({ type }: Field): string {
  if (typeof type === 'object') return 'items' in type ? 'array' : 'string';
  if (type === 'Decimal' || type === 'String') return 'string';
  if (type === 'Bool') return 'boolean';
  return type === 'true' ? 'true' : 'number';
}

function documentRows(fields: readonly Field[], prefix = ''): readonly string[] {
  return fields.flatMap((field) => {
    const { name, type, unit = '', meaning } = field;
    const values = Array.isArray(type) ? ` (${type.map((value) => `\`${value}\``).join(', ')})` : '';
    const row = `| \`${prefix}${name}\` | ${jsonType(field)}${values} | ${unit} | ${meaning} |`;
    const items =
      typeof type === 'object' && 'items' in type ? documentRows(type.items, `${prefix}${name}[].`) : [];
    return [row, ...items];
  });
}

describe('list of decoded fields', () => {
  it('has each name once', () => {
    const names = DECODED_FIELDS.map(({ name }) => name);
    assert.deepEqual([...new Set(names)], names);
  });

  it('is the table of docs/guide/decoded-fields.md, row by row', () => {
    const [, table = ''] = read('docs/guide/decoded-fields.md').split('## All fields');
    const rows = table.match(/^\| `.*$/gm) ?? [];
    assert.deepEqual([...rows], documentRows(DECODED_FIELDS));
  });
});
