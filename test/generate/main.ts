import { readFile, writeFile } from 'node:fs/promises';
import { FIELD_CODE } from './field-code.ts';
import { FIELD_GUIDES, withFieldTable } from './field-table.ts';

for (const [file, code] of FIELD_CODE) await writeFile(file, code());
for (const guide of FIELD_GUIDES) await writeFile(guide, withFieldTable(await readFile(guide, 'utf8')));
