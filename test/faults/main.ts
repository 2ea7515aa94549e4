import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { removeArchive } from './archive.ts';
import type { Row } from './fault.ts';
import { FAULT_GROUPS } from './faults.ts';
import { document, verdictOf } from './table.ts';

const USAGE = 'npm run test:faults [-- --only TEXT] [-- --write]';
const FILE = new URL('../../docs/faults.md', import.meta.url);

const { only, write } = parseArgs({
  options: { only: { type: 'string', default: '' }, write: { type: 'boolean', default: false } },
}).values;
if (write && only !== '') throw new Error(`--write needs the whole table. ${USAGE}`);

const started = performance.now();
const rows: Row[] = [];
for (const group of FAULT_GROUPS) {
  const isSelected = (name: string) => `${group.name}: ${name}`.includes(only);
  await group.run(isSelected, (row) => {
    rows.push(row);
    process.stderr.write(
      `${Math.round((performance.now() - started) / 1000)} s ${row.group}: ${row.name}: ${verdictOf(row)}; ${row.seen}; ${row.recovery}\n`,
    );
  });
}
await removeArchive();
const text = document(rows, (performance.now() - started) / 1000);
process.stdout.write(text);
if (write) await writeFile(FILE, text);
process.exitCode = rows.length > 0 && rows.every(({ breaches }) => breaches.length === 0) ? 0 : 1;
