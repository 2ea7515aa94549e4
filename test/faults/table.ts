import { table } from '../bench/results.ts';
import type { Row } from './fault.ts';
import { FAULT_GROUPS } from './faults.ts';

const INTRODUCTION = `\`npm run test:faults\` tries this on the real program and engine; \`-- --write\` writes this file. A fault held
when clients got only the answers allowed for it, in time. Rows record the answers, the longest wait, the most memory, and
the recovery: from the end of the fault to the first page, unless stated. They depend on the machine.`;

export function document(rows: readonly Row[]): string {
  const groups = FAULT_GROUPS.filter(({ name }) => rows.some(({ group }) => group === name));
  const sections = groups.map(({ name, about }) =>
    [`## ${name}`, about, faultTable(rows.filter(({ group }) => group === name))].join('\n\n'),
  );
  return `${['# Faults', summary(rows), INTRODUCTION, ...sections].join('\n\n')}\n`;
}

/** Names each fault that did not hold. */
function summary(rows: readonly Row[]): string {
  const failed = rows.filter(({ breaches }) => breaches.length > 0);
  const total = `${rows.length - failed.length} of ${rows.length} faults held`;
  if (failed.length === 0) return `${total}.`;
  return `${total}. Not so:\n\n${failed.map((row) => `- ${row.group}, ${row.name}: ${row.breaches.join('; ')}`).join('\n')}`;
}

const CELLS = /^\| (.+?) \| (.*) \|$/;
const FAILED = 'failed: ';

/** The rows of a document. */
export function readDocument(text: string): readonly Row[] {
  let group = '';
  return text.split('\n').flatMap((line) => {
    group = /^## (.+)$/.exec(line)?.[1] ?? group;
    const [, name = '', figure = ''] = CELLS.exec(line) ?? [];
    if (name === '' || name === 'fault' || name.startsWith('---')) return [];
    const isFailed = figure.startsWith(FAILED);
    const breaches = isFailed ? [figure.slice(FAILED.length)] : [];
    return [{ group, name, seen: isFailed ? '' : figure, breaches }];
  });
}

export function verdictOf({ breaches }: Pick<Row, 'breaches'>): string {
  return breaches.length === 0 ? 'held' : `${FAILED}${breaches.join('; ')}`;
}

function faultTable(rows: readonly Row[]): string {
  const inCell = (text: string) => text.replaceAll(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ');
  return table(
    ['fault', 'recorded'],
    rows.map((row) => [row.name, row.breaches.length > 0 ? verdictOf(row) : row.seen].map(inCell)),
  );
}
