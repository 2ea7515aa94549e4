import { readFile, writeFile } from 'node:fs/promises';
import { FIELDS_FILE, fieldsCode } from './field-code.ts';
import { FIELD_GUIDES, withFieldTable } from './field-table.ts';

await writeFile(FIELDS_FILE, fieldsCode());
for (const guide of FIELD_GUIDES) await writeFile(guide, withFieldTable(await readFile(guide, 'utf8')));
