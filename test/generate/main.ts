import { readFile, writeFile } from 'node:fs/promises';
import { FIELD_GUIDES, withFieldTable } from './field-table.ts';
import { LAND_FILE, landSvg } from './land.ts';

for (const guide of FIELD_GUIDES) await writeFile(guide, withFieldTable(await readFile(guide, 'utf8')));
await writeFile(LAND_FILE, await landSvg());
