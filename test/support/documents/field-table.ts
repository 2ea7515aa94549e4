import { DECODED_FIELDS, type Field } from '../../../clickhouse/model/fields.ts';

/** The guide that holds the table of all decoded fields; `npm run generate` writes the table. */
export const FIELD_GUIDE = new URL('../../../docs/guide/decoded-fields.md', import.meta.url);

/** The guide with the table that `DECODED_FIELDS` gives. */
export function withFieldTable(guide: string): string {
  return guide.replace(
    /(?<=\n## All fields\n[^`]*\n)(\| `.*\n)+/,
    () => `${rowsOf(DECODED_FIELDS).join('\n')}\n`,
  );
}

function rowsOf(fields: readonly Field[], prefix = ''): readonly string[] {
  return fields.flatMap((field) => {
    const { name, type, unit = '', meaning } = field;
    const values = Array.isArray(type) ? ` (${type.map((value) => `\`${value}\``).join(', ')})` : '';
    const row = `| \`${prefix}${name}\` | ${jsonType(field)}${values} | ${unit} | ${meaning} |`;
    const items =
      typeof type === 'object' && 'items' in type ? rowsOf(type.items, `${prefix}${name}[].`) : [];
    return [row, ...items];
  });
}

function jsonType({ type }: Field): string {
  if (typeof type === 'object') return 'items' in type ? 'array' : 'string';
  if (type === 'Decimal' || type === 'String') return 'string';
  if (type === 'Bool') return 'boolean';
  return type === 'true' ? 'true' : 'number';
}
