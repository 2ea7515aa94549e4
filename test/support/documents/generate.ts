import { readFile, writeFile } from 'node:fs/promises';
import { CLIENT_TYPES, generateClientTypes } from './client-types.ts';
import { FIELD_CODE } from './field-code.ts';
import { FIELD_GUIDES, withFieldTable } from './field-table.ts';

await writeFile(CLIENT_TYPES, await generateClientTypes());
for (const [file, code] of FIELD_CODE) await writeFile(file, code());
for (const guide of FIELD_GUIDES) await writeFile(guide, withFieldTable(await readFile(guide, 'utf8')));
