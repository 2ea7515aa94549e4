import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { removeArchive } from './archive.ts';
import type { FaultGroup, Row } from './fault.ts';
import { FAULT_GROUPS } from './faults.ts';
import { document, verdictOf } from './table.ts';

const USAGE = `npm run test:faults [-- --only TEXT] [-- --write]
  --only TEXT  only the faults whose group and name hold this text
  --write      writes the table into docs/faults.md; needs all faults`;
/** The table ends in ten minutes: a fault that has not started by then does not hold. */
const LIMIT_MS = 8 * 60_000;
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
if (write && only !== '') throw new Error(`--write needs the whole table.\n${USAGE}`);

const started = performance.now();
const rows: Row[] = [];
const run = (group: FaultGroup) =>
  group.run({
    isSelected: (name) => `${group.name}: ${name}`.includes(only),
    deadline: started + LIMIT_MS,
    report(row) {
      rows.push(row);
      const seconds = Math.round((performance.now() - started) / 1000);
      process.stderr.write(
        `${seconds} s ${row.group}: ${row.name}: ${verdictOf(row)}; ${row.seen}; ${row.recovery}\n`,
      );
    },
  });
const beside = FAULT_GROUPS.filter(({ runsBesideOthers }) => runsBesideOthers).map(run);
for (const group of FAULT_GROUPS) if (!group.runsBesideOthers) await run(group);
await Promise.all(beside);
await removeArchive();
const text = document(inOrder(rows), (performance.now() - started) / 1000);
process.stdout.write(text);
if (write) await writeFile(FILE, text);
process.exitCode = rows.length > 0 && rows.every(({ breaches }) => breaches.length === 0) ? 0 : 1;

function inOrder(unordered: readonly Row[]): readonly Row[] {
  const names = FAULT_GROUPS.map(({ name }) => name);
  return unordered.toSorted((a, b) => names.indexOf(a.group) - names.indexOf(b.group));
}
