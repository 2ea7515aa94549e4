import { readFile, writeFile } from 'node:fs/promises';
import { CLIENT_TYPES, generateClientTypes } from './client-types.ts';
import { FIELD_GUIDE, withFieldTable } from './field-table.ts';

await writeFile(CLIENT_TYPES, await generateClientTypes());
await writeFile(FIELD_GUIDE, withFieldTable(await readFile(FIELD_GUIDE, 'utf8')));
