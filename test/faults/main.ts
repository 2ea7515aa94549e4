import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { removeArchive } from './archive.ts';
import type { Row } from './fault.ts';
import { FAULT_GROUPS } from './faults.ts';
import { document, readDocument, verdictOf } from './table.ts';

const USAGE = `npm run test:faults [-- --only TEXT] [-- --write]
  --only TEXT  only the faults whose group and name hold this text
  --write      writes what was run into docs/faults.md`;
const FILE = new URL('../../docs/faults.md', import.meta.url);

const { only, write, help } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
}).values;
if (help) {
  console.log(USAGE);
  process.exit();
}

const started = performance.now();
const rows: Row[] = [];
for (const group of FAULT_GROUPS)
  await group.run({
    isSelected: (name) => `${group.name}: ${name}`.includes(only),
    report(row) {
      rows.push(row);
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stderr.write(`${seconds} s ${row.group}: ${row.name}: ${verdictOf(row)}; ${row.seen}\n`);
    },
  });
await removeArchive();
process.stdout.write(document(inOrder(rows)));
if (write) await writeFile(FILE, document(inOrder([...rows, ...readDocument(await readFile(FILE, 'utf8'))])));
process.exitCode = rows.length > 0 && rows.every(({ breaches }) => breaches.length === 0) ? 0 : 1;

/** In the order of the code: the first row of each fault. */
function inOrder(unordered: readonly Row[]): readonly Row[] {
  return FAULT_GROUPS.flatMap(({ name: group, faults }) =>
    faults.flatMap(({ name }) => unordered.find((row) => row.group === group && row.name === name) ?? []),
  );
}
