import { DERIVED_FIELDS, type DerivedField } from '../../clickhouse/model/derived-fields.ts';
import { DECODED_FIELDS, type Field } from '../../clickhouse/model/fields.ts';
import { SOURCE_FIELD } from '../../clickhouse/model/named-fields.ts';

/** The guides with tables that follow from the lists of fields; `npm run generate` writes the rows. */
export const FIELD_GUIDES = ['decoded-fields', 'asking'].map(
  (name) => new URL(`../../docs/guide/${name}.md`, import.meta.url),
);

/** The guide with the rows of its table as the lists give them. */
export function withFieldTable(guide: string): string {
  return guide
    .replace(rowsBelow('All fields'), () => decodedRows(DECODED_FIELDS).join(''))
    .replace(rowsBelow('Derived fields'), () => [...DERIVED_FIELDS, SOURCE_FIELD].map(derivedRow).join(''));
}

/** The rows of the first table below this heading: all begin with a name. */
function rowsBelow(heading: string): RegExp {
  return new RegExp(`(?<=\\n## ${heading}\\n(?:(?!\\n(?:## |\\| \`))[^])*\\n)(\\| \`.*\\n)+`);
}

const derivedRow = ({ name, unit = '', meaning }: Pick<DerivedField, 'name' | 'unit' | 'meaning'>): string =>
  `| \`${name}\` | ${unit} | ${meaning} |\n`;

function decodedRows(fields: readonly Field[], prefix = ''): readonly string[] {
  return fields.flatMap((field) => {
    const { name, type, unit = '', meaning } = field;
    const values = Array.isArray(type) ? ` (${type.map((value) => `\`${value}\``).join(', ')})` : '';
    const row = `| \`${prefix}${name}\` | ${jsonType(field)}${values}${unit === '' ? '' : `, ${unit}`} | ${meaning} |\n`;
    const items =
      typeof type === 'object' && 'items' in type ? decodedRows(type.items, `${prefix}${name}[].`) : [];
    return [row, ...items];
  });
}

function jsonType({ type }: Field): string {
  if (typeof type === 'object') return 'items' in type ? 'array' : 'string';
  if (type === 'Temperature' || type === 'String') return 'string';
  if (type === 'Bool') return 'boolean';
  return type === 'true' ? 'true' : 'number';
}
