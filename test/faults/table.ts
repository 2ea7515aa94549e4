import { table } from '../bench/results.ts';
import type { Row } from './fault.ts';

const INTRODUCTION = `\`npm run test:faults\` tries this on the real program, Redis and engine; \`-- --write\` writes this file. A fault held
when clients got only the answers allowed for it, in time. Rows record the answers, the longest wait, the most memory, and
the recovery: from the end of the fault to the first page, unless stated. They depend on the machine.`;

/** What the service does in all rows of a group, and what is done to it. */
const METHODS: Readonly<Record<string, string>> = {
  Redis: 'The service answers 503 until Redis answers.',
  Memory: `The service serves other keys. In 1 GB, a key sends 100 requests a second for 10 s, unless the row says otherwise; another
asks for small pages, and waits as long as recorded in the median. Memory is that of the api, and of both with the engine.`,
  'Memory of the engine': `What needs more memory than there is is refused or broken off. An engine that refuses every statement is
replaced.`,
  'Page cache': 'Memory stays bounded. A key asks for coverages of 1,000 stations, 20 at a time.',
  'The embedded engine': 'Clients get 503 until the next engine answers, then the same pages as before.',
  'A frozen engine': 'The engine is replaced; clients get 503 meanwhile.',
  Stopping: 'Every request is answered.',
  Loads: 'No report is lost. The recovery is a whole start. Memory is that of the loader.',
  'Power failures': `Nothing acknowledged is lost. The disk keeps what was synced. Recorded are the reports not stored yet; the
recovery is a whole start.`,
};

export function document(rows: readonly Row[]): string {
  const groups = [...new Set(rows.map(({ group }) => group))];
  const sections = groups.map((group) =>
    [`## ${group}`, METHODS[group] ?? [], faultTable(rows.filter((row) => row.group === group))]
      .flat()
      .join('\n\n'),
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
